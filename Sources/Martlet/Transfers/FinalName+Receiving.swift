import Foundation
import MartletCore
import NIOCore

extension FinalName {
  /// Gives the name to a complete file, which may lie in another file system.
  ///
  /// - Parameter file: The file, which the disk has. It is gone afterwards, and stays when this throws.
  /// - Returns: The file under its name.
  /// - Throws: `MartletError` with code `.fileNotWritable`.
  @concurrent
  func receive(_ file: URL) async throws(MartletError) -> URL {
    do {
      let received = try move(file)
      OpenFile.syncFolder(place.deletingLastPathComponent())
      return received
    } catch {
      throw error as? MartletError ?? .fileNotWritable(url, underlying: error)
    }
  }

  private func move(_ file: URL) throws -> URL {
    do {
      return try take(from: file)
    } catch let failure as SystemFailure where failure.number == EXDEV {
      return try copy(file)
    }
  }

  /// The name is not to be seen before all is there.
  private func copy(_ file: URL) throws -> URL {
    let beside = place.partialBeside
    defer { unlink(beside.path) }
    let source = try FileHandle(forReadingFrom: file)
    let copy = try OpenFile(beside, flags: O_CREAT | O_EXCL, mode: partialMode)
    while let data = try source.read(upToCount: 1 << 20), !data.isEmpty {
      try copy.write(ByteBuffer(bytes: data))
    }
    try copy.sync()
    let received = try take(from: beside)
    unlink(file.path)
    return received
  }
}
