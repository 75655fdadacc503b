package import Foundation
import MartletCore
import MartletTransport
import NIOCore

extension FinalName {
  /// Gives the name to a complete file, which may lie in another file system.
  ///
  /// - Parameter file: The file, which the disk has. It is gone afterwards, and stays when this throws.
  /// - Returns: The file under its name.
  /// - Throws: `MartletError` with code `.fileNotWritable`.
  @concurrent
  func receive(_ file: URL) async throws(MartletError) -> URL {
    guard !isGiven(to: file) else {
      unlink(file.path)
      return url
    }
    do {
      try check()
      do {
        try take(from: file)
      } catch let failure as SystemFailure where failure.number == EXDEV {
        try copy(file)
      }
      OpenFile.syncFolder(url.deletingLastPathComponent())
      return url
    } catch {
      throw error as? MartletError ?? .fileNotWritable(url, underlying: error)
    }
  }

  /// Whether a process has died between giving a file its name and taking the one that it had before.
  private func isGiven(to file: URL) -> Bool {
    guard let old = FileStatus(name: file.path), let new = FileStatus(name: url.path) else {
      return false
    }
    return old.names > 1 && old.identity == new.identity
  }

  /// Nobody sees the name before all is there.
  private func copy(_ file: URL) throws {
    let beside = url.partialBeside
    defer { unlink(beside.path) }
    let source = try FileHandle(forReadingFrom: file)
    let copy = try OpenFile(beside, flags: O_CREAT | O_EXCL)
    while let data = try source.read(upToCount: 1 << 20), !data.isEmpty {
      try copy.write(ByteBuffer(bytes: data))
    }
    try copy.sync()
    try take(from: beside)
    unlink(file.path)
  }
}

extension URL {
  /// A hidden file of its own in the same folder, not made of the name, which may be as long as one can be.
  package var partialBeside: URL {
    deletingLastPathComponent().appendingPathComponent(".martlet-\(UUID().uuidString).part")
  }
}
