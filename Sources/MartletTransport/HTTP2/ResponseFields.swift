import HTTPTypes
import MartletCore
import NIOHPACK

/// The header or trailer section of a response, read in one pass (RFC 9113 §8.2, §8.3.2).
struct ResponseFields {
  /// The fault of a section.
  enum Fault: Error {
    /// It breaks a rule of HTTP/2, so that its stream must end with PROTOCOL_ERROR (§8.1.1).
    case breaksRules
    case unusable(MartletError)
  }

  /// The maximum number of fields in a section. `HTTPFields` traps at 65 535 fields.
  private static let maximumFields = 4096

  /// The fields, without the status.
  private(set) var fields = HTTPFields()
  private var edited: EditedFields
  /// The size of the section in bytes, counted as in HTTP/1.1.
  private(set) var size = 0
  /// How many fields have been read. The section's own count would iterate over all of them each time.
  private var count = 0
  private(set) var contentLength: Int64?
  private var status: String?

  /// Reads a section.
  ///
  /// - Parameters:
  ///   - section: The section.
  ///   - limit: The maximum size in bytes, counted as in §6.5.2: name, value and 32 more for each field.
  ///   - last: The fields of the previous section. Equal fields are kept, because servers send nearly the same fields
  ///     every time. The default is none.
  /// - Throws: The fault of the section.
  init(_ section: HPACKHeaders, limit: Int, last: HTTPFields = HTTPFields()) throws(Fault) {
    edited = EditedFields(last)
    for (name, value, _) in section {
      count += 1
      size += name.utf8.count + value.utf8.count + 4
      guard size + 28 * count <= limit else { throw .unusable(.headTooLarge(limit: limit)) }
      if name.utf8.first == UInt8(ascii: ":") {
        try take(pseudo: name, value)
      } else {
        try take(name, value)
      }
    }
    fields = edited.finish()
  }

  /// Returns the section as a head.
  func head() throws(Fault) -> ResponseHead {
    guard let status else { throw .breaksRules }
    guard let code = Int(status), status.utf8.count == 3, (100...999).contains(code) else {
      throw .unusable(.malformedHTTP2("its status is “\(status.masked)”"))
    }
    return ResponseHead(status: HTTPResponse.Status(code: code), headers: fields)
  }

  /// Returns the section as trailers.
  func trailers() throws(Fault) -> HTTPFields {
    guard status == nil else { throw .breaksRules }
    return fields
  }

  /// §8.3 — the only pseudo-header field is the status, once and before all other fields.
  private mutating func take(pseudo name: String, _ value: String) throws(Fault) {
    guard name == ":status", status == nil, edited.count == 0 else { throw .breaksRules }
    status = value
  }

  private mutating func take(_ name: String, _ value: String) throws(Fault) {
    if name == "content-length" { try takeLength(value) }
    if let next = edited.next, next.value.hasSameBytes(as: value),
      next.name.rawName.hasSameBytes(as: name)
    {
      return edited.keep()
    }
    if name.isAboutConnection { throw .breaksRules }
    guard edited.count < Self.maximumFields else {
      throw .unusable(.malformedHTTP2("it has more than \(Self.maximumFields) header fields"))
    }
    edited.set(try Self.field(name, value))
  }

  private mutating func takeLength(_ value: String) throws(Fault) {
    guard value.utf8.allSatisfy(\.isDigit), let length = Int64(value),
      contentLength ?? length == length
    else { throw .breaksRules }
    contentLength = length
  }

  /// §8.2.1 — names are in lower case, and values neither begin nor end with a blank.
  private static func field(_ name: String, _ value: String) throws(Fault) -> HTTPField {
    var name = name
    var value = value
    let isLower = name.utf8.allSatisfy { $0 == $0.lowercased }
    guard isLower, let known = name.withUTF8({ FieldNames.name(UnsafeRawBufferPointer($0)[...]) })
    else { throw .breaksRules }
    let isTrimmed = value.utf8.first?.isBlank != true && value.utf8.last?.isBlank != true
    guard isTrimmed else { throw .breaksRules }
    let isClean = value.utf8.allSatisfy { $0 != 0 && $0 != 0x0A && $0 != 0x0D }
    guard isClean else {
      throw .unusable(
        .malformedHTTP2("the value of its header “\(name)” holds a control character"))
    }
    return value.withUTF8 { HTTPField(name: known, lenientValue: UnsafeRawBufferPointer($0)) }
  }
}

extension String {
  /// §8.2.2 — whether this is the name of a field about the connection, which a response must not have.
  fileprivate var isAboutConnection: Bool {
    switch utf8.count {
    case 7: self == "upgrade"
    case 10: self == "connection" || self == "keep-alive"
    case 16: self == "proxy-connection"
    case 17: self == "transfer-encoding"
    default: false
    }
  }
}
