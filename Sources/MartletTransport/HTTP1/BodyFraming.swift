import HTTPTypes
import MartletCore

/// How a response's body is delimited (RFC 9112 §6.3).
enum BodyFraming: Hashable, Sendable {
  /// There is no body, whatever the fields say.
  case none
  /// The body has exactly this many bytes.
  case length(Int64)
  /// The body is sent in chunks.
  case chunked
  /// The body ends when the connection closes.
  case untilClose

  /// Determines the framing from a head, in the order of RFC 9112 §6.3.
  ///
  /// The head is borrowed, because each copy of it retains ten objects.
  ///
  /// - Throws: `MartletError` with code `.malformedResponse` when the length is not a number or too large, when two
  ///   lengths differ, or when the transfer coding is neither `chunked` nor `identity`.
  init(_ parsed: borrowing HeadParser.Head, answering method: HTTPRequest.Method)
    throws(MartletError)
  {
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
    // §6.3 #5, #6 — otherwise a length; repeated values must agree.
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
        "its transfer coding is “\(field.masked)”, but only “chunked” is supported")
    }
  }

  private static func length(_ field: String) throws(MartletError) -> Int64 {
    if let length = number(field.utf8[...]) { return length }
    // The same length may be repeated, separated by commas (§6.3 #5). Every element must be a length.
    let parts = field.split(separator: ",", omittingEmptySubsequences: false)
    let values = parts.compactMap { number($0.utf8.trimmingBlanks) }
    guard values.count == parts.count, let length = values.first else {
      let isTooLarge = parts.allSatisfy { isDecimal($0.utf8.trimmingBlanks) }
      let fault = isTooLarge ? "larger than any body can be" : "not a number"
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

  /// Parses decimal digits only: no sign, no blank, no overflow.
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

/// The fields of a head that determine where its message ends and whether the connection is reused.
///
/// They are found in one pass, because each separate lookup would cost another pass. The values of a repeated field are
/// joined by commas (RFC 9110 §5.3).
struct FramingFields {
  private(set) var contentLength: String?
  private(set) var transferEncoding: String?
  private(set) var connection: String?

  /// Finds the fields in a whole section.
  init(_ fields: HTTPFields) {
    for field in fields { keep(field) }
  }

  /// Keeps a field if it is one of the three.
  private mutating func keep(_ field: HTTPField) {
    // The length is compared first, because that is cheaper.
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

  /// Whether the `Connection` field has an option, which is passed in lower case. The case in the field does not matter
  /// (RFC 9110 §7.6.1).
  func hasConnectionOption(_ option: String) -> Bool {
    connection?.lowercased().fieldElements().contains(option) ?? false
  }
}

extension HeadParser.Head {
  /// Whether the connection may serve another exchange after a body with this framing (RFC 9112 §9.3).
  ///
  /// The `Connection` field and the version decide. However, the connection is never reused after a body that is read
  /// `.untilClose`, after a chunked response that also has a length (§6.3 #3), or after a chunked response of HTTP/1.0,
  /// which does not define chunks (§6.1).
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
