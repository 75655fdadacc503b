package import Foundation
package import MartletCore
package import NIOCore

/// A file that gets its name only when it is complete, and is gone when it never will be.
///
/// Unchecked because it is used by one thread at a time: whoever owns it hands it from one piece of
/// work to the next and never runs two at once. `abandon()` alone may come between; it touches `trace`.
package final class PartialFile: BodyWriter, @unchecked Sendable {
  package let url: URL
  private let name: FinalName
  private let temporary: URL
  private let decoding: ContentDecoding?
  private var pieces: DecodedPieces?
  private var file: OpenFile?
  private let trace = Locked(Trace())

  /// What of the file is to be seen in its directory.
  private struct Trace {
    var isThere = false
    var isUnwanted = false
  }

  package init(_ delivery: FileDelivery) {
    url = delivery.url
    decoding = delivery.decoding
    name = FinalName(delivery.url, replacesExisting: delivery.replacesExisting)
    // Not made of the final name, which may be as long as a name can be.
    let name = ".martlet-\(UUID().uuidString).part"
    temporary = delivery.url.deletingLastPathComponent().appendingPathComponent(name)
  }

  /// Appends `chunks`, decoded if the delivery says so.
  package func write(_ chunks: [ByteBuffer]) throws {
    guard !trace.current.isUnwanted else { throw MartletError.cancelled }
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

  /// Gives the file its final name, once the disk has all of it.
  package func complete() throws {
    let file = try open()
    try pieces?.finish()
    try file.sync()
    try trace.withLock { trace in
      guard !trace.isUnwanted else { throw MartletError.cancelled }
      try name.take(from: temporary)
      trace.isThere = false
    }
    self.file = nil
  }

  /// Takes the file out of its directory at once, even while another thread is writing to it.
  ///
  /// This is quick enough for an event loop: the space is given back when the file is closed.
  package func abandon() {
    trace.withLock { trace in
      trace.isUnwanted = true
      if trace.isThere { unlink(temporary.path) }
      trace.isThere = false
    }
  }

  /// Leaves nothing behind.
  package func close() {
    abandon()
    file = nil
  }

  private func open() throws -> OpenFile {
    if let file { return file }
    try name.check()
    let opened = try trace.withLock { trace in
      guard !trace.isUnwanted else { throw MartletError.cancelled }
      let opened = try OpenFile(temporary, flags: O_CREAT | O_EXCL)
      trace.isThere = true
      return opened
    }
    file = opened
    pieces = try decoding.map { try DecodedPieces($0) }
    return opened
  }
}
