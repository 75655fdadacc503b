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
    let values = parts.compactMap { number($0.utf8.trimmingBlanks) }
    guard values.count == parts.count, let length = values.first else {
      let isTooLarge = parts.allSatisfy { isDecimal($0.utf8.trimmingBlanks) }
      let fault = isTooLarge ? "larger than any body can be" : "no number"
      throw .malformedResponse("its Content-Length is “\(field.masked)”, which is \(fault)")
    }
    guard values.allSatisfy({ $0 == length }) else {
      throw .malformedResponse("it has two different Content-Length values, “\(field.masked)”")
    }
    return length
  }

  private static func isDecimal(_ text: Substring.UTF8View) -> Bool {
    !text.isEmpty && text.allSatisfy(\.isDigit)
  }

  /// Decimal digits and nothing else: no sign, no blank, no overflow.
  private static func number(_ digits: Substring.UTF8View) -> Int64? {
    guard !digits.isEmpty, digits.count <= 18 else { return nil }
    var value: Int64 = 0
    for digit in digits {
      guard digit.isDigit else { return nil }
      value = value * 10 + Int64(digit - 0x30)
    }
    return value
  }
}

/// The fields of a head that say where its message ends and what becomes of the connection.
///
/// They are picked out in one pass, because looking each of them up would cost one of its own.
/// What is said several times is joined by commas (RFC 9110 §5.3).
struct FramingFields {
  private(set) var contentLength: String?
  private(set) var transferEncoding: String?
  private(set) var connection: String?

  /// What a whole section says.
  init(_ fields: HTTPFields) {
    for field in fields { note(field) }
  }

  /// Remembers a field, if it is one of them.
  private mutating func note(_ field: HTTPField) {
    // Most names have another length, which is cheaper to see.
    switch field.name.rawName.utf8.count {
    case 10 where field.name == .connection: Self.join(&connection, field.value)
    case 14 where field.name == .contentLength: Self.join(&contentLength, field.value)
    case 17 where field.name == .transferEncoding: Self.join(&transferEncoding, field.value)
    default: break
    }
  }

  private static func join(_ known: inout String?, _ value: String) {
    known = known.map { "\($0), \(value)" } ?? value
  }

  /// Whether the connection field has an option, in any spelling (RFC 9110 §7.6.1).
  func hasConnectionOption(_ option: String) -> Bool {
    connection?.lowercased().fieldElements().contains(option) ?? false
  }
}

extension HeadParser.Head {
  /// Whether the connection may serve another exchange after a body with this framing (RFC 9112 §9.3).
  ///
  /// Never after a response whose end two rules could tell (§6.3 #3), or that is chunked although HTTP/1.0
  /// has no chunks (§6.1).
  func allowsReuse(after framing: BodyFraming) -> Bool {
    let isAmbiguous = framing == .chunked && (fields.contentLength != nil || !isHTTP11)
    guard framing != .untilClose, !isAmbiguous else { return false }
    if fields.connection == nil || fields.connection == "keep-alive" {
      return isHTTP11 || fields.connection != nil
    }
    if fields.hasConnectionOption("close") { return false }
    return isHTTP11 || fields.hasConnectionOption("keep-alive")
  }
}
