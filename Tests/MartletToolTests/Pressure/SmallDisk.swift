import EssentialFoundation

/// A small file system that a test can fill, which `scripts/interop-pressure` mounts.
struct SmallDisk {
  private static let folder = ProcessInfo.processInfo.environment["MARTLET_SMALL_DISK"]

  static var isAvailable: Bool { folder != nil }

  /// A folder on it, for one test.
  let url: URL
  private let filler: URL

  init() throws {
    let folder = URL(fileURLWithPath: Self.folder ?? "/nonexistent")
    url = folder.appendingPathComponent(UUID().uuidString)
    filler = folder.appendingPathComponent("filler")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  /// The names of the files in the folder, without those of locks.
  var names: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: url.path)
        .filter { !$0.hasSuffix(".lock") }
    }
  }

  /// Fills it to the last page, except for some room.
  ///
  /// - Parameter room: The bytes that stay free. The default is none.
  /// - Throws: What the file system throws.
  func fill(leaving room: Int = 0) throws {
    try FileManager.default.createDirectory(at: filler, withIntermediateDirectories: true)
    let reserve = filler.appendingPathComponent("reserve")
    try Data(count: room).write(to: reserve)
    for size in [64 << 10, 4 << 10] {
      let bytes = Data(count: size)
      while (try? bytes.write(to: filler.appendingPathComponent(UUID().uuidString))) != nil {}
    }
    try FileManager.default.removeItem(at: reserve)
  }

  /// Makes room again.
  func free() throws {
    try FileManager.default.removeItem(at: filler)
  }

  /// Makes room again, and removes the folder, also after a test that has failed.
  func remove() {
    for folder in [filler, url] { try? FileManager.default.removeItem(at: folder) }
  }
}
