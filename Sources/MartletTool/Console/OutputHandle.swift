import EssentialFoundation
import MartletEssentials
import MartletCore
import NIOCore
import SystemPackage

/// A file descriptor that text and bodies are written to: standard output, standard error, or a device.
struct OutputHandle: Sendable {
  /// The reader has closed the pipe, as `head` does when it has read enough lines.
  struct Closed: Error {}

  let descriptor: Int32
  let isTerminal: Bool

  init(descriptor: Int32) {
    self.descriptor = descriptor
    isTerminal = isatty(descriptor) == 1
  }

  static let output = OutputHandle(descriptor: STDOUT_FILENO)
  static let error = OutputHandle(descriptor: STDERR_FILENO)

  /// How long to wait before a named pipe is opened again.
  private static let pause = Duration.milliseconds(50)

  /// An output for the open descriptor that a path refers to; `nil` for any other path.
  ///
  /// - Throws: `ToolFailure` when the descriptor is not open.
  static func descriptor(at path: String) throws(ToolFailure) -> OutputHandle? {
    guard let number = DescriptorPath.descriptor(of: path) else { return nil }
    let descriptor = fcntl(number, F_DUPFD_CLOEXEC, 0)
    guard descriptor >= 0 else { throw .notWritable(path, Errno(rawValue: errno)) }
    return OutputHandle(descriptor: descriptor)
  }

  /// An output for a device or a named pipe. For a named pipe, it waits until another process opens it for reading.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - call: The call. Its cancellation ends the wait.
  /// - Returns: The output.
  /// - Throws: `ToolFailure` when it cannot be opened; `MartletError` with code `.cancelled` when the call is
  ///   cancelled.
  static func device(at path: String, for call: Call) async throws -> OutputHandle {
    while true {
      // Without O_NONBLOCK the system would wait for a reader, and cancellation could not end the wait.
      let descriptor = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
      guard descriptor < 0 else { return OutputHandle(descriptor: descriptor) }
      let number = errno
      guard number == ENXIO, (try? Stat(FilePath(path)))?.type == .fifo else {
        throw ToolFailure.notWritable(path, Errno(rawValue: number))
      }
      guard !call.isCancelled else { throw MartletError.cancelled }
      try await Task.sleep(for: pause)
    }
  }

  /// How many columns the terminal has; 80 if this is not known.
  var columns: Int {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// The colours to use: none if the output is not a terminal, or `NO_COLOR` is set.
  var palette: Palette {
    let isPlain = Palette.isUnwanted(in: ProcessInfo.processInfo.environment)
    return isTerminal && !isPlain ? .coloured : .plain
  }

  // MARK: Writing

  /// Writes all bytes, and waits as long as necessary.
  ///
  /// - Throws: `Closed` when the reader has closed the pipe; `ToolFailure` for any other failure.
  func write(_ bytes: UnsafeRawBufferPointer) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = UnsafeRawBufferPointer(rebasing: rest)
      let count = EssentialFoundation.write(descriptor, part.baseAddress, part.count)
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else {
        try recover(from: errno)
      }
    }
  }

  func write(_ buffer: ByteBuffer) throws {
    try buffer.withUnsafeReadableBytes { try write($0) }
  }

  func write(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { try write($0) }
  }

  func write(_ text: String) throws {
    try write(Array(text.utf8))
  }

  /// Writes a line, and ignores failures.
  func writeLine(_ line: String) {
    try? write(line + "\n")
  }

  private func recover(from number: Int32) throws {
    switch number {
    case EINTR: return
    case EPIPE: throw Closed()
    case EAGAIN:
      var place = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      poll(&place, 1, -1)
    default:
      throw ToolFailure("The output cannot be written: \(Errno(rawValue: number)).")
    }
  }
}

extension ToolFailure {
  fileprivate static func notWritable(_ path: String, _ reason: Errno) -> ToolFailure {
    ToolFailure("“\(path.masked)” cannot be written to: \(reason).")
  }
}
