import Foundation
import Martlet
import NIOCore

/// The body that comes on standard input.
///
/// What fits into 1 MiB is read first, so that it can be sent with its length and sent again; anything
/// larger is read while it is sent.
struct StandardInput {
  let input: BodySource.Input
  /// The body, when there is one.
  let body: Body?

  private static let chunkSize = 64 << 10
  private static let heldSize = 1 << 20
  /// How long to wait before saying what is being waited for.
  private static let patience: Int32 = 2000

  /// Looks at standard input.
  ///
  /// - Parameters:
  ///   - isIgnored: Whether to leave it alone.
  ///   - hasBody: Whether a body is at hand already: nothing is waited for then.
  init(isIgnored: Bool, hasBody: Bool) {
    guard !isIgnored, isatty(STDIN_FILENO) == 0, Self.isReady(waits: !hasBody) else {
      (input, body) = (.unavailable, nil)
      return
    }
    let size = Self.fileSize
    let first = Self.read()
    input = first == nil ? .empty : .filled
    body = hasBody ? nil : first.map { Self.body(after: $0, size: size) }
  }

  private static func isReady(waits: Bool) -> Bool {
    var place = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    if poll(&place, 1, waits ? patience : 0) != 0 { return true }
    guard waits else { return false }
    Outlet.error.note(
      "martlet: Waiting for a body on standard input; --ignore-stdin goes on without one.")
    return true
  }

  private static func body(after first: ByteBuffer, size: Int64?) -> Body {
    var held = first
    while held.readableBytes < heldSize {
      guard var next = read() else { return .bytes(held) }
      held.writeBuffer(&next)
    }
    let start = held
    return .producer(length: size, isReplayable: false) { write in
      try await write(start)
      while let next = await readElsewhere() { try await write(next) }
    }
  }

  /// What is left of standard input when it is a file.
  private static var fileSize: Int64? {
    guard let status = FileStatus(descriptor: STDIN_FILENO), status.isRegular else { return nil }
    return status.size - Int64(lseek(STDIN_FILENO, 0, SEEK_CUR))
  }

  @concurrent
  private static func readElsewhere() async -> ByteBuffer? { read() }

  /// The next bytes, or `nil` at the end; an input that cannot be read has ended.
  private static func read() -> ByteBuffer? {
    var buffer = ByteBuffer()
    buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: chunkSize) { room in
      while true {
        let count = Foundation.read(STDIN_FILENO, room.baseAddress, room.count)
        if count >= 0 || errno != EINTR { return max(count, 0) }
      }
    }
    return buffer.readableBytes > 0 ? buffer : nil
  }
}
