import CMartletZlib
import HTTPTypes
import MartletCore
import NIOCore

/// Undoes gzip and deflate with zlib (RFC 1952, RFC 1950, RFC 1951).
final class InflateDecoder: ContentDecoder {
  /// The content codings that zlib undoes.
  enum Coding: String {
    case gzip
    case deflate

    /// The coding of a response, if it has one of these and a whole body (RFC 9110 §8.4.1, §15.3.7).
    init?(_ head: ResponseHead) {
      guard head.status.code != 206 else { return nil }
      guard let field = head.headers[.contentEncoding] else { return nil }
      switch field.lowercased() {
      case "gzip", "x-gzip": self = .gzip
      case "deflate": self = .deflate
      default: return nil
      }
    }

    func decoding(size: Int, ratio: Int, buffer: Int = .max) -> ContentDecoding {
      ContentDecoding { InflateDecoder(self, size: size, ratio: ratio, buffer: buffer) }
    }
  }

  /// Below this size no ratio is suspicious.
  private static let harmless = 1 << 20
  private static let step = 64 << 10
  /// What a `ByteBuffer` can hold, with room for one more step.
  private static let largest = Int(UInt32.max) - step

  private let coding: Coding
  private let size: Int
  private let ratio: Int
  private let buffer: Int
  private var stream = z_stream()
  private var isOpen = false
  private var isAtEnd = false
  private var consumed = 0
  private var produced = 0

  /// - Parameters:
  ///   - coding: What to undo.
  ///   - size: The most bytes after decompression.
  ///   - ratio: How many times larger than its compressed form the body may be.
  ///   - buffer: The most bytes that whoever asked for the body wants in memory.
  init(_ coding: Coding, size: Int, ratio: Int, buffer: Int = .max) {
    self.coding = coding
    self.size = size
    self.ratio = ratio
    self.buffer = buffer
  }

  deinit {
    if isOpen { inflateEnd(&stream) }
  }

  func decode(_ input: ByteBuffer) throws -> ByteBuffer {
    var output = ByteBuffer()
    guard input.readableBytes > 0 else { return output }
    try open(for: input)
    consumed += input.readableBytes
    try input.withUnsafeReadableBytes { bytes in
      stream.next_in = UnsafeMutablePointer(
        mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
      stream.avail_in = UInt32(bytes.count)
      while try inflateStep(into: &output) {}
    }
    stream.next_in = nil
    return output
  }

  func finish() throws {
    guard consumed == 0 || isAtEnd else { throw failure("it ends too early") }
  }

  /// Inflates up to one step; whether there is more to do.
  private func inflateStep(into output: inout ByteBuffer) throws -> Bool {
    if isAtEnd { try nextMember() }
    guard output.readableBytes <= Self.largest else {
      throw swollen("it grew beyond \(Self.largest) bytes")
    }
    var result = Z_OK
    let written = output.writeWithUnsafeMutableBytes(minimumWritableBytes: Self.step) { target in
      stream.next_out = target.baseAddress?.assumingMemoryBound(to: UInt8.self)
      stream.avail_out = UInt32(min(target.count, Self.step))
      let room = Int(stream.avail_out)
      result = inflate(&stream, Z_NO_FLUSH)
      return room - Int(stream.avail_out)
    }
    produced += written
    isAtEnd = result == Z_STREAM_END
    guard result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR else {
      throw failure(stream.msg.map { String(cString: $0) } ?? "it is malformed")
    }
    guard produced <= buffer else { throw MartletError.bodyTooLarge(limit: buffer) }
    guard produced <= size else { throw swollen("it grew beyond \(size) bytes") }
    guard produced <= Self.harmless || produced / max(consumed, 1) <= ratio else {
      throw swollen("it grew to more than \(ratio) times its size")
    }
    return stream.avail_in > 0 || (stream.avail_out == 0 && !isAtEnd)
  }

  /// A gzip body may hold several members (RFC 1952 §2.2); what follows a deflate body is refused.
  private func nextMember() throws {
    guard coding == .gzip, inflateReset(&stream) == Z_OK else {
      throw failure("more bytes follow its end")
    }
    isAtEnd = false
  }

  /// Servers disagree on what “deflate” means: zlib's frame (RFC 9110 §8.4.1.2) begins with a byte that
  /// says so, bare deflate data does not.
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

  private func swollen(_ reason: String) -> MartletError {
    .decompressionLimitExceeded(coding.rawValue, reason)
  }
}
