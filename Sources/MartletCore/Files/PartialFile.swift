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
  private let durability: FileDurability
  private let decoderFactory: ContentDecoderFactory?
  private var decoder: PieceDecoder?
  private var file: OpenFile?
  private let isAbandoned = Locked(false)
  /// Whether the temporary file exists.
  private var hasTemporaryFile = false

  package init(_ delivery: FileDestination) {
    url = delivery.url
    decoderFactory = delivery.decoderFactory
    name = FinalName(delivery.url, replacesExisting: delivery.replacesExisting)
    permissions = delivery.permissions.intersection(name.partialPermissions)
    durability = delivery.durability
    temporary = name.resolvedURL.newPartialURL
  }

  /// Appends `chunks`, decoded if the delivery has a decoder.
  package func write(_ chunks: [ByteBuffer]) throws {
    try checkNotAbandoned()
    let file = try open()
    for chunk in chunks {
      guard decoder != nil else {
        try file.write(chunk)
        continue
      }
      decoder?.append(chunk)
      while let piece = try decoder?.next() { try file.write(piece) }
    }
  }

  /// Gives the file its final name, after all bytes have been written.
  package func complete() throws {
    let file = try open()
    try decoder?.finish()
    try file.finish()
    try checkNotAbandoned()
    try name.moveIntoPlace(from: temporary, durability)
    hasTemporaryFile = false
    self.file = nil
  }

  /// Makes all later calls of `write(_:)` and `complete()` fail.
  package func abandon() {
    isAbandoned.withLock { $0 = true }
  }

  /// Removes the temporary file and closes it.
  package func close() {
    if hasTemporaryFile { try? FilePath(temporary.path).unlink() }
    hasTemporaryFile = false
    file = nil
  }

  private func checkNotAbandoned() throws {
    guard !isAbandoned.current else { throw MartletError.cancelled }
  }

  private func open() throws -> OpenFile {
    if let file { return file }
    try name.check()
    let opened = try OpenFile(
      temporary, options: [.create, .exclusiveCreate], permissions: permissions,
      durability: durability)
    hasTemporaryFile = true
    file = opened
    decoder = try decoderFactory.map { try PieceDecoder($0) }
    return opened
  }
}
