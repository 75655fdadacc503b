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

  /// Fills it to the last page.
  func fill() throws {
    try FileManager.default.createDirectory(at: filler, withIntermediateDirectories: true)
    for size in [64 << 10, 4 << 10] {
      let bytes = Data(count: size)
      while (try? bytes.write(to: filler.appendingPathComponent(UUID().uuidString))) != nil {}
    }
  }

  /// Makes room again.
  func free() throws {
    try FileManager.default.removeItem(at: filler)
  }

  func remove() throws {
    try FileManager.default.removeItem(at: url)
  }
}
