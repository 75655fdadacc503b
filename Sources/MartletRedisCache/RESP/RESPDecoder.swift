import MartletCore
import NIOCore

/// Decodes replies in RESP2, one after the other, as their bytes arrive.
///
/// A length is not believed before the bytes have arrived, and no reply needs more memory than the limits allow. What
/// is not RESP2 throws a `RESPProblem`, after which the connection cannot be used.
struct RESPDecoder: Sendable {
  /// The limits of one reply.
  struct Limits: Sendable {
    /// The bytes of a line.
    var line = 64 << 10
    /// The bytes of a bulk string.
    var bulk: Int
    /// The bytes of the whole reply, with 64 for each value in it.
    var reply: Int
    /// How deep arrays may be in others.
    var depth = 4
  }

  fileprivate enum Token {
    case value(RESPValue)
    /// The beginning of an array that has elements.
    case array(count: Int)
  }

  private struct OpenArray: Sendable {
    let count: Int
    var elements: [RESPValue] = []
  }

  private let limits: Limits
  /// The arrays whose end has not arrived, the innermost last.
  private var open: [OpenArray] = []
  private var size = 0

  init(_ limits: Limits) {
    self.limits = limits
  }

  /// Returns the next reply; `nil` if its end has not arrived.
  ///
  /// - Throws: `RESPProblem`.
  mutating func decode(buffer: inout ByteBuffer) throws -> RESPValue? {
    while let token = try buffer.readToken(limits) {
      if let reply = try add(token) { return reply }
    }
    return nil
  }

  /// Whether all arrays have ended.
  var isBetweenReplies: Bool { open.isEmpty }

  /// Returns the reply if the token is its end.
  private mutating func add(_ token: Token) throws(RESPProblem) -> RESPValue? {
    size += token.size
    guard size <= limits.reply else { throw RESPProblem("a reply is larger than the limit") }
    switch token {
    case .value(let value): return close(with: value)
    case .array(let count):
      guard open.count < limits.depth else { throw RESPProblem("arrays are nested too deeply") }
      open.append(OpenArray(count: count))
      return nil
    }
  }

  /// Adds a value to the innermost array, and closes the arrays of which it is the last element.
  private mutating func close(with value: RESPValue) -> RESPValue? {
    var value = value
    while var array = open.popLast() {
      array.elements.append(value)
      guard array.elements.count == array.count else {
        open.append(array)
        return nil
      }
      value = .array(array.elements)
    }
    size = 0
    return value
  }
}

extension RESPDecoder.Token {
  fileprivate var size: Int {
    switch self {
    case .value(.simple(let text)), .value(.error(let text)): 64 + text.utf8.count
    case .value(.bulk(let bytes?)): 64 + bytes.readableBytes
    case .value, .array: 64
    }
  }
}

extension ByteBuffer {
  /// Reads a token. If its end has not arrived, nothing is read.
  fileprivate mutating func readToken(_ limits: RESPDecoder.Limits) throws(RESPProblem)
    -> RESPDecoder.Token?
  {
    guard let kind = readableBytesView.first else { return nil }
    guard "+-:$*".utf8.contains(kind) else { throw RESPProblem("a reply has an unknown type") }
    let start = readerIndex
    guard let line = try readLine(limits.line) else { return nil }
    switch kind {
    case UInt8(ascii: "+"): return .value(.simple(line))
    case UInt8(ascii: "-"): return .value(.error(line))
    case UInt8(ascii: ":"): return .value(.integer(try Self.integer(line)))
    case UInt8(ascii: "*"):
      guard let count = try Self.length(line, limits.reply / 64) else { return .value(.array(nil)) }
      return count == 0 ? .value(.array([])) : .array(count: count)
    default:
      guard let length = try Self.length(line, limits.bulk) else { return .value(.bulk(nil)) }
      guard readableBytes >= length + 2, let bytes = readSlice(length: length) else {
        moveReaderIndex(to: start)
        return nil
      }
      guard readString(length: 2) == "\r\n" else {
        throw RESPProblem("a bulk string is longer than its length")
      }
      return .value(.bulk(bytes))
    }
  }

  /// Reads a line, and returns it without its first byte; `nil` if its end has not arrived.
  private mutating func readLine(_ limit: Int) throws(RESPProblem) -> String? {
    let start = readableBytesView.prefix(limit)
    guard
      let end = start.firstIndex(where: { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") })
    else {
      guard start.count < limit else { throw RESPProblem("a line is too long") }
      return nil
    }
    guard start[end] == UInt8(ascii: "\r") else { throw RESPProblem("a line ends without CR") }
    let text = readableBytesView[..<end]
    guard text.count + 2 <= readableBytes else { return nil }
    let line = String(decoding: text.dropFirst(), as: UTF8.self)
    moveReaderIndex(forwardBy: text.count + 1)
    guard readInteger() == UInt8(ascii: "\n") else { throw RESPProblem("a line ends without LF") }
    return line
  }

  private static func integer(_ line: String) throws(RESPProblem) -> Int64 {
    guard let integer = Int64(line) else { throw RESPProblem("an integer is not a number") }
    return integer
  }

  /// Returns a length; `nil` for the length −1 of what does not exist.
  private static func length(_ line: String, _ limit: Int) throws(RESPProblem) -> Int? {
    guard line != "-1" else { return nil }
    guard !line.isEmpty, line.utf8.allSatisfy(\.isDigit) else {
      throw RESPProblem("a length is not a number")
    }
    guard let length = Int(line), length <= limit else {
      throw RESPProblem("a length is larger than the limit")
    }
    return length
  }
}
