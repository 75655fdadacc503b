import EssentialFoundation
import MartletEssentials
import MartletCore
import NIOCore
import SystemPackage

/// The body that comes on standard input.
///
/// A body shorter than 1 MiB is read first, so that it can be sent with its length and sent again. A longer body is
/// read while it is sent.
struct StandardInput {
  let input: BodySource.Input
  /// The body, when there is one.
  let body: RequestBody?

  private static let chunkSize = 64 << 10
  private static let heldSize = 1 << 20
  /// How long to wait for data before a line on standard error reports the wait, in milliseconds.
  private static let noticeDelay: Int32 = 2000

  /// Reads the beginning of standard input, or all of a short body.
  ///
  /// - Parameters:
  ///   - descriptor: The descriptor to read from. The default is that of standard input.
  ///   - isIgnored: Whether standard input is ignored.
  ///   - hasBody: Whether there is a body already. Then the tool does not wait for data.
  /// - Throws: `ToolFailure` with the system's reason when standard input is needed and cannot be read.
  init(_ descriptor: Int32 = STDIN_FILENO, isIgnored: Bool, hasBody: Bool) throws(ToolFailure) {
    guard !isIgnored, isatty(descriptor) == 0, Self.isReady(descriptor, waits: !hasBody) else {
      (input, body) = (.unavailable, nil)
      return
    }
    let size = Self.fileSize(descriptor)
    guard let first = try hasBody ? try? Self.read(descriptor) : Self.read(descriptor) else {
      (input, body) = (.empty, nil)
      return
    }
    input = .filled
    body = hasBody ? nil : try Self.body(descriptor, after: first, size: size)
  }

  private static func isReady(_ descriptor: Int32, waits: Bool) -> Bool {
    var place = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    if poll(&place, 1, waits ? noticeDelay : 0) != 0 { return true }
    guard waits else { return false }
    OutputHandle.error.writeLine(
      "martlet: Waiting for a body on standard input; with --ignore-stdin, none is read.")
    return true
  }

  private static func body(
    _ descriptor: Int32, after first: ByteBuffer, size: Int64?
  ) throws(ToolFailure) -> RequestBody {
    var held = first
    while held.readableBytes < heldSize {
      guard var next = try read(descriptor) else { return .bytes(held) }
      held.writeBuffer(&next)
    }
    let start = held
    return .producer(length: size, isReplayable: false) { write in
      try await write(start)
      while let next = try await readOnGlobalExecutor(descriptor) { try await write(next) }
    }
  }

  /// How many bytes of standard input are left, if it is a regular file.
  private static func fileSize(_ descriptor: Int32) -> Int64? {
    guard let status = try? Stat(SystemPackage.FileDescriptor(rawValue: descriptor)),
      status.type == .regular
    else { return nil }
    return status.size - Int64(lseek(descriptor, 0, SEEK_CUR))
  }

  @concurrent
  private static func readOnGlobalExecutor(_ descriptor: Int32) async throws -> ByteBuffer? {
    try read(descriptor)
  }

  /// The next bytes, or `nil` at the end.
  ///
  /// - Throws: `ToolFailure` with the system's reason. A failure to read is not the end of the data.
  private static func read(_ descriptor: Int32) throws(ToolFailure) -> ByteBuffer? {
    var buffer = ByteBuffer()
    var failure: Errno?
    buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: chunkSize) { room in
      while true {
        let count = EssentialFoundation.read(descriptor, room.baseAddress, room.count)
        if count >= 0 { return count }
        let number = errno
        switch number {
        case EINTR: continue
        case EAGAIN:
          var place = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
          poll(&place, 1, -1)
        default:
          failure = Errno(rawValue: number)
          return 0
        }
      }
    }
    if let failure { throw ToolFailure("Standard input cannot be read: \(failure).") }
    return buffer.readableBytes > 0 ? buffer : nil
  }
}

/// Where the body of a request comes from.
enum BodySource: Equatable {
  case nothing
  case items
  case standardInput

  /// The state of standard input.
  enum Input: Equatable {
    /// It is a terminal, or it is ignored, or no data is ready and none is needed.
    case unavailable
    /// It ends without data.
    case empty
    case filled
  }

  /// Chooses the source of the body. Items and data on standard input cannot both be sent.
  ///
  /// - Parameters:
  ///   - hasItems: Whether items of the command line make a body.
  ///   - input: The state of standard input.
  /// - Returns: Where the body comes from.
  /// - Throws: `ToolFailure` when there are both.
  static func choose(hasItems: Bool, input: Input) throws(ToolFailure) -> BodySource {
    switch (hasItems, input) {
    case (true, .filled):
      throw .usage(
        "There is a body on the command line and another on standard input: send one of them, or give --ignore-stdin."
      )
    case (true, _): .items
    case (false, .filled): .standardInput
    case (false, _): .nothing
    }
  }
}
