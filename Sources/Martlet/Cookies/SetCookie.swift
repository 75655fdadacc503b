import Foundation

/// A `Set-Cookie` field taken apart (RFC 6265bis §5.6); what its parts mean is another question.
struct SetCookie {
  private(set) var name: String
  private(set) var value: String
  /// The date of `Expires`.
  private(set) var expires: Date?
  /// The seconds of `Max-Age`.
  private(set) var maxAge: Int?
  /// Without the dot in front and in lower case; empty when there is none.
  private(set) var domain = ""
  /// `nil` when there is none; empty when it is the one of the request.
  private(set) var path: String?
  private(set) var isSecure = false
  private(set) var isHTTPOnly = false
  private(set) var sameSite: Cookie.SameSite?

  /// - Throws: `.controlCharacter`, `.tooLong` or `.empty`.
  init(_ field: String) throws(CookieRefusal) {
    guard !field.utf8.contains(where: \.isForbiddenInCookies) else { throw .controlCharacter }
    let pair = field.utf8.prefix { $0 != UInt8(ascii: ";") }
    let equals = pair.firstIndex(of: UInt8(ascii: "="))
    name = equals.map { pair[..<$0].trimmed.text } ?? ""
    value = (equals.map { pair[pair.index(after: $0)...] } ?? pair).trimmed.text
    guard !name.isEmpty || !value.isEmpty else { throw .empty }
    guard name.utf8.count + value.utf8.count <= Cookie.maximumLength else { throw .tooLong }
    read(field.utf8[pair.endIndex...])
  }

  /// Of attributes that come twice the later counts; unknown ones are passed over.
  private mutating func read(_ attributes: Substring.UTF8View) {
    for attribute in attributes.split(separator: UInt8(ascii: ";")) {
      let equals = attribute.firstIndex(of: UInt8(ascii: "="))
      let name = attribute[..<(equals ?? attribute.endIndex)].trimmed
      let value = equals.map { attribute[attribute.index(after: $0)...].trimmed } ?? Self.nothing
      // Nothing of such a length means anything (§5.6).
      if name.count <= 8, value.count <= Self.maximumAttribute {
        take(name.lowercased, value)
      }
    }
  }

  private mutating func take(_ name: String, _ value: Substring.UTF8View) {
    switch name {
    case "expires": expires = CookieDate.date(value) ?? expires
    case "max-age": maxAge = Self.seconds(value) ?? maxAge
    case "domain":
      let hasDot = value.first == UInt8(ascii: ".")
      domain = (hasDot ? value.dropFirst() : value).lowercased
    case "path": path = value.first == UInt8(ascii: "/") ? value.text : ""
    case "secure": isSecure = true
    case "httponly": isHTTPOnly = true
    case "samesite":
      let kinds: [Cookie.SameSite] = [.strict, .lax, .unrestricted]
      sameSite = kinds.first { $0.rawValue.lowercased() == value.lowercased }
    default: break
    }
  }

  private static let maximumAttribute = 1024
  private static let nothing = Substring().utf8

  /// Digits, with a minus in front perhaps; more of them than a number can hold are as good as for ever.
  private static func seconds(_ text: Substring.UTF8View) -> Int? {
    let isNegative = text.first == UInt8(ascii: "-")
    let digits = isNegative ? text.dropFirst() : text
    guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return isNegative ? 0 : Int(Substring(digits)) ?? .max
  }
}

extension Cookie {
  /// The most bytes that name and value may have together (§5.6).
  static let maximumLength = 4096
}

extension UInt8 {
  /// Control characters, the tab excepted (RFC 6265bis §5.6).
  var isForbiddenInCookies: Bool {
    self < 0x20 && self != 0x09 || self == 0x7F
  }
}

extension Substring.UTF8View {
  /// Without the blanks and tabs at both ends.
  var trimmed: Substring.UTF8View {
    var rest = drop(while: \.isBlank)
    while let last = rest.last, last.isBlank { rest.removeLast() }
    return rest
  }

  /// The same as a text.
  var text: String { String(Substring(self)) }

  /// With the letters of ASCII in lower case, and no others: some of those would become letters of ASCII.
  fileprivate var lowercased: String {
    String(decoding: map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}

extension UInt8 {
  fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 }
}
