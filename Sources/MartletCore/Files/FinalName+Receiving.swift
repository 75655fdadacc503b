package import EssentialFoundation
import NIOCore
import SystemPackage

extension FinalName {
  /// Gives the name to a complete file, which may lie in another file system.
  ///
  /// - Parameter file: The file, which the disk has. It is gone afterwards, and stays when this throws.
  /// - Returns: The file under its name.
  /// - Throws: `MartletError` with code `.fileNotWritable`.
  @concurrent
  package func receive(_ file: URL) async throws(MartletError) -> URL {
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
    } catch Errno.improperLink {
      return try copy(file)
    }
  }

  /// The name is not to be seen before all is there.
  private func copy(_ file: URL) throws -> URL {
    let beside = place.partialBeside
    defer { try? FilePath(beside.path).unlink() }
    let source = try OpenFile(reading: file)
    let copy = try OpenFile(
      beside, options: [.create, .exclusiveCreate], permissions: partialPermissions)
    while case let bytes = try source.read(upTo: 1 << 20), bytes.readableBytes > 0 {
      try copy.write(bytes)
    }
    try copy.sync()
    let received = try take(from: beside)
    try? FilePath(file.path).unlink()
    return received
  }
}
