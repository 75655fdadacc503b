package import EssentialFoundation
package import NIOCore
import SystemPackage

/// A file that gets its final name when it is complete, and is removed if it is not completed.
///
/// Unchecked because one thread uses it at a time: its owner makes one call after another. Only `abandon()` may be
/// called concurrently, and it only uses a value with a lock.
package final class PartialFile: ResponseBodyWriter, @unchecked Sendable {
  package let url: URL
  private let name: FinalName
  private let temporary: URL
  private let permissions: FilePermissions
  private let decoderFactory: ContentDecoderFactory?
  private var pieces: DecodedPieces?
  private var file: OpenFile?
  private let isUnwanted = Locked(false)
  /// Whether the temporary file exists.
  private var isThere = false

  package init(_ delivery: FileDestination) {
    url = delivery.url
    decoderFactory = delivery.decoderFactory
    name = FinalName(delivery.url, replacesExisting: delivery.replacesExisting)
    permissions = delivery.permissions.intersection(name.partialPermissions)
    temporary = name.resolvedURL.partialBeside
  }

  /// Appends `chunks`, decoded if the delivery has a decoder.
  package func write(_ chunks: [ByteBuffer]) throws {
    try checkWanted()
    let file = try open()
    for chunk in chunks {
      guard pieces != nil else {
        try file.write(chunk)
        continue
      }
      pieces?.append(chunk)
      while let piece = try pieces?.next() { try file.write(piece) }
    }
  }

  /// Gives the file its final name, after all bytes are on the disk.
  package func complete() throws {
    let file = try open()
    try pieces?.finish()
    try file.sync()
    try checkWanted()
    try name.moveIntoPlace(from: temporary)
    isThere = false
    self.file = nil
  }

  /// Makes all later calls of `write(_:)` and `complete()` fail.
  package func abandon() {
    isUnwanted.withLock { $0 = true }
  }

  /// Removes the temporary file and closes it.
  package func close() {
    if isThere { try? FilePath(temporary.path).unlink() }
    isThere = false
    file = nil
  }

  private func checkWanted() throws {
    guard !isUnwanted.current else { throw MartletError.cancelled }
  }

  private func open() throws -> OpenFile {
    if let file { return file }
    try name.check()
    let opened = try OpenFile(
      temporary, options: [.create, .exclusiveCreate], permissions: permissions)
    isThere = true
    file = opened
    pieces = try decoderFactory.map { try DecodedPieces($0) }
    return opened
  }
}
