import HTTPTypes
import MartletCore

/// How a response's body is delimited (RFC 9112 §6.3).
enum BodyFraming: Hashable, Sendable {
  /// There is no body, whatever the fields say.
  case none
  /// The body has exactly this many bytes.
  case length(Int64)
  /// The body comes in chunks.
  case chunked
  /// The body ends with the connection.
  case untilClose

  /// Reads the framing off a head, in the order of RFC 9112 §6.3.
  ///
  /// - Throws: `MartletError` with code `.malformedResponse` when the length is no number, when two
  ///   lengths differ, or when the transfer coding is one that was never asked for.
  init(_ parsed: HeadParser.Head, answering method: HTTPRequest.Method) throws(MartletError) {
    // §6.3 #1 — these never have a body.
    let code = parsed.head.status.code
    guard method != .head, code >= 200, code != 204, code != 304 else {
      self = .none
      return
    }
    // §6.3 #3, #4 — a transfer coding overrides any length.
    if let coding = parsed.fields.transferEncoding {
      self = try Self.transferCoding(coding)
      return
    }
    // §6.3 #5, #6 — otherwise a length, all mentions of which must agree.
    guard let length = parsed.fields.contentLength else {
      self = .untilClose
      return
    }
    self = .length(try Self.length(length))
  }

  private static func transferCoding(_ field: String) throws(MartletError) -> BodyFraming {
    switch field.lowercased() {
    case "chunked": return .chunked
    case "identity": return .untilClose
    default:
      throw .malformedResponse(
        "its transfer coding is “\(field.masked)”, where only “chunked” was offered")
    }
  }

  private static func length(_ field: String) throws(MartletError) -> Int64 {
    if let length = number(field.utf8[...]) { return length }
    // The same length may be said several times (§6.3 #5); what is between commas and no length may not.
    let parts = field.split(separator: ",", omittingEmptySubsequences: false)
    let values = parts.compactMap { number($0.trimmingBlanks.utf8) }
    guard values.count == parts.count, let length = values.first else {
      let isTooLarge = parts.allSatisfy { isDecimal($0.trimmingBlanks.utf8) }
      let fault = isTooLarge ? "larger than any body can be" : "no number"
      throw .malformedResponse("its Content-Length is “\(field.masked)”, which is \(fault)")
    }
    guard values.allSatisfy({ $0 == length }) else {
      throw .malformedResponse("it has two different Content-Length values, “\(field.masked)”")
    }
    return length
  }

  private static func isDecimal(_ text: Substring.UTF8View) -> Bool {
    !text.isEmpty && text.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// Decimal digits and nothing else: no sign, no blank, no overflow.
  private static func number(_ digits: Substring.UTF8View) -> Int64? {
    guard !digits.isEmpty, digits.count <= 18 else { return nil }
    var value: Int64 = 0
    for digit in digits {
      guard (0x30...0x39).contains(digit) else { return nil }
      value = value * 10 + Int64(digit - 0x30)
    }
    return value
  }
}
