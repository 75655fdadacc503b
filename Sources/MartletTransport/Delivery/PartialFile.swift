package import Foundation
package import MartletCore
package import NIOCore

/// A file that gets its name only when it is complete.
///
/// Unchecked because it is used by one thread at a time: whoever owns it hands it from one piece of
/// work to the next and never runs two at once.
package final class PartialFile: @unchecked Sendable {
  package let url: URL
  private let temporary: URL
  private let decoding: ContentDecoding?
  private let replacesExisting: Bool
  private var pieces: DecodedPieces?
  private var handle: FileHandle?
  private(set) var isClosed = false
  private let trace = Locked(Trace())

  /// What of the file is to be seen in its directory.
  private struct Trace {
    var isThere = false
    var isUnwanted = false
  }

  package init(_ delivery: FileDelivery) {
    url = delivery.url
    decoding = delivery.decoding
    replacesExisting = delivery.replacesExisting
    // Not made of the final name, which may be as long as a name can be.
    let name = ".martlet-\(UUID().uuidString).part"
    temporary = delivery.url.deletingLastPathComponent().appendingPathComponent(name)
  }

  /// Appends `chunks`, decoded if the delivery says so.
  package func write(_ chunks: [ByteBuffer]) throws {
    let handle = try open()
    for chunk in chunks {
      guard pieces != nil else {
        try handle.writeAll(chunk)
        continue
      }
      pieces?.append(chunk)
      while let piece = try pieces?.next() { try handle.writeAll(piece) }
    }
  }

  /// Gives the file its final name.
  package func complete() throws {
    let handle = try open()
    try pieces?.finish()
    try handle.close()
    try trace.withLock { trace in
      guard !trace.isUnwanted else { throw MartletError.cancelled }
      try rename()
      trace.isThere = false
    }
    isClosed = true
  }

  private func rename() throws {
    if replacesExisting {
      guard Foundation.rename(temporary.path, url.path) == 0 else {
        throw SystemFailure(number: errno)
      }
    } else {
      // A link, unlike a rename, never replaces what has come to stand there meanwhile.
      guard link(temporary.path, url.path) == 0 else { return try renameWithoutLink(errno) }
      unlink(temporary.path)
    }
  }

  /// Some file systems know no links: there, looking before renaming is the best there is.
  private func renameWithoutLink(_ number: CInt) throws {
    let hasNoLinks = number == EPERM || number == EOPNOTSUPP || number == EMLINK
    guard number != EEXIST, !(hasNoLinks && access(url.path, F_OK) == 0) else {
      throw MartletError.fileExists(url)
    }
    guard hasNoLinks, Foundation.rename(temporary.path, url.path) == 0 else {
      throw SystemFailure(number: hasNoLinks ? errno : number)
    }
  }

  /// Takes the file out of its directory at once, even while another thread is writing to it.
  ///
  /// This is quick enough for an event loop: the space is given back when the file is closed.
  func disown() {
    trace.withLock { trace in
      trace.isUnwanted = true
      if trace.isThere { unlink(temporary.path) }
      trace.isThere = false
    }
  }

  /// Leaves nothing behind.
  package func remove() {
    disown()
    isClosed = true
    try? handle?.close()
  }

  private func open() throws -> FileHandle {
    if let handle { return handle }
    if !replacesExisting, access(url.path, F_OK) == 0 { throw MartletError.fileExists(url) }
    let descriptor = try trace.withLock { trace in
      guard !trace.isUnwanted else { throw MartletError.cancelled }
      let descriptor = try create()
      trace.isThere = true
      return descriptor
    }
    let opened = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    handle = opened
    pieces = try decoding.map { try DecodedPieces($0) }
    return opened
  }

  private func create() throws -> CInt {
    let flags = O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC
    let descriptor = temporary.path.withCString { Foundation.open($0, flags, 0o666) }
    guard descriptor >= 0 else { throw SystemFailure(number: errno) }
    return descriptor
  }
}

extension FileHandle {
  /// Writes all bytes without copying them first.
  fileprivate func writeAll(_ bytes: ByteBuffer) throws {
    try bytes.withUnsafeReadableBytes { try writeAll($0) }
  }

  private func writeAll(_ bytes: UnsafeRawBufferPointer) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = UnsafeRawBufferPointer(rebasing: rest)
      let count = Foundation.write(fileDescriptor, part.baseAddress, part.count)
      if count < 0 {
        guard errno == EINTR else { throw SystemFailure(number: errno) }
        continue
      }
      rest = rest.dropFirst(count)
    }
  }
}
