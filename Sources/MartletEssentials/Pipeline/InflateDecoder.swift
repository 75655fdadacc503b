import CMartletZlib
import MartletCore
import NIOCore

/// Decodes gzip and deflate with zlib (RFC 1952, RFC 1950, RFC 1951).
final class InflateDecoder: ContentDecoder {
  private static let step = 64 << 10

  private let coding: Coding
  private let limits: DecompressionInterceptor.Limits
  private let size: Int
  private let buffer: Int
  private var stream = z_stream()
  private var isOpen = false
  private var isAtEnd = false
  /// Whether zlib has filled the whole output, so that it may hold more.
  private var holdsMore = false
  private var consumed = 0
  private var produced = 0

  /// - Parameters:
  ///   - coding: The coding to decode.
  ///   - limits: The limits on the ratio.
  ///   - size: The largest number of bytes after decompression.
  ///   - buffer: The largest number of bytes that the delivery allows in memory. The default is no limit.
  init(
    _ coding: Coding, _ limits: DecompressionInterceptor.Limits, size: Int, buffer: Int = .max
  ) {
    self.coding = coding
    self.limits = limits
    self.size = size
    self.buffer = buffer
  }

  deinit {
    if isOpen { inflateEnd(&stream) }
  }

  func decode(_ input: inout ByteBuffer, upTo limit: Int) throws -> ByteBuffer? {
    if input.readableBytes > 0 { try open(for: input) }
    var output = ByteBuffer()
    // A typical text becomes four times as large.
    output.reserveCapacity(min(limit, 4 * input.readableBytes))
    while output.readableBytes < limit, input.readableBytes > 0 || holdsMore {
      try inflateStep(&input, into: &output, limit: limit)
    }
    return output.readableBytes > 0 ? output : nil
  }

  func finish() throws {
    guard consumed == 0 || isAtEnd else { throw failure("it ends too early") }
  }

  /// Inflates up to one step.
  private func inflateStep(
    _ input: inout ByteBuffer, into output: inout ByteBuffer, limit: Int
  ) throws {
    if isAtEnd { try nextMember() }
    let received = consumed + input.readableBytes
    let room = min(Self.step, limit - output.readableBytes)
    let result = input.readWithUnsafeReadableBytes { source in
      stream.next_in = UnsafeMutablePointer(
        mutating: source.baseAddress?.assumingMemoryBound(to: UInt8.self))
      stream.avail_in = UInt32(source.count)
      let result = inflate(into: &output, room: room)
      return (source.count - Int(stream.avail_in), result)
    }
    consumed = received - input.readableBytes
    isAtEnd = result == Z_STREAM_END
    guard result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR else {
      throw failure(stream.msg.map { String(cString: $0) } ?? "it is malformed")
    }
    try checkLimits(received: received)
  }

  private func inflate(into output: inout ByteBuffer, room: Int) -> CInt {
    var result = Z_OK
    let written = output.writeWithUnsafeMutableBytes(minimumWritableBytes: room) { target in
      stream.next_out = target.baseAddress?.assumingMemoryBound(to: UInt8.self)
      stream.avail_out = UInt32(room)
      result = CMartletZlib.inflate(&stream, Z_NO_FLUSH)
      return room - Int(stream.avail_out)
    }
    holdsMore = stream.avail_out == 0 && result == Z_OK
    produced += written
    return result
  }

  private func checkLimits(received: Int) throws {
    guard produced <= buffer else { throw MartletError.bodyTooLarge(limit: buffer) }
    guard produced <= size else {
      throw MartletError.decompressionLimitExceeded(
        coding.rawValue, "it grew beyond \(size) bytes")
    }
    guard !limits.areExceeded(by: produced, from: received) else {
      throw Self.ratioExceeded(coding, ratio: limits.ratio)
    }
  }

  static func ratioExceeded(_ coding: Coding, ratio: Int) -> MartletError {
    .decompressionLimitExceeded(coding.rawValue, "it grew to more than \(ratio) times its size")
  }

  /// Begins the next member. A gzip body may hold several (RFC 1952 §2.2); bytes after a deflate body are an error.
  private func nextMember() throws {
    guard coding == .gzip, inflateReset(&stream) == Z_OK else {
      throw failure("more bytes follow its end")
    }
    isAtEnd = false
  }

  /// Prepares zlib for the format of the input.
  ///
  /// Servers disagree on the meaning of “deflate”: the zlib format (RFC 9110 §8.4.1.2) is recognized by its first byte,
  /// other data is raw deflate data.
  private func open(for input: ByteBuffer) throws {
    guard !isOpen else { return }
    let first = input.getInteger(at: input.readerIndex, as: UInt8.self) ?? 0
    let isFramed = first & 0x0F == 8
    let windowBits: CInt = coding == .gzip ? 31 : isFramed ? 15 : -15
    guard martlet_inflate_init(&stream, windowBits) == Z_OK else {
      throw failure("there is not enough memory")
    }
    isOpen = true
  }

  private func failure(_ reason: String) -> MartletError {
    .contentDecodingFailed(coding.rawValue, reason)
  }
}

extension InflateDecoder {
  /// The content codings that zlib decodes.
  enum Coding: String {
    case gzip
    case deflate
  }
}
