import HTTPTypes
import MartletCore

/// The variants of a resource: the request fields on which a response depends (RFC 9111 §4.1).
extension CachedResponse.Record {
  /// Whether a request asks for the same variant.
  func matches(_ request: Request) -> Bool {
    varyHeaders.isEmpty
      || varyHeaders.allSatisfy { request.headers.values(varying: $0.key) == $0.value }
  }

  /// Returns the values of the request fields on which a response depends.
  static func varyHeaders(of head: ResponseHead, to request: Request)
    -> [HTTPField.Name: [String]]
  {
    guard head.headers.contains(.vary) else { return [:] }
    let names = Set(head.headers.varyingNames ?? [])
    return Dictionary(uniqueKeysWithValues: names.map { ($0, request.headers.values(varying: $0)) })
  }
}

extension HTTPFields {
  /// The names in `Vary`; `nil` for `*`, by which a response depends on more than fields, and for an invalid field.
  var varyingNames: [HTTPField.Name]? {
    guard contains(.vary) else { return [] }
    var names: [HTTPField.Name] = []
    for name in self[values: .vary].flatMap({ $0.fieldElements() }) {
      guard let name = HTTPField.Name(name), name.rawName != "*", !name.rawName.hasPrefix(":")
      else {
        return nil
      }
      names.append(name)
    }
    return names
  }

  /// Returns the values of a field, so that fields with the same meaning are equal (§4.1): none for an absent field, the
  /// elements of a list whose syntax is known, and the whole value of any other field. That may be a secret, so that it is
  /// replaced by a digest.
  fileprivate func values(varying name: HTTPField.Name) -> [String] {
    let fields = self[fields: name]
    guard !fields.isEmpty else { return [] }
    guard Self.lists.contains(name) else {
      let value = fields.map(\.byteText).joined(separator: ", ")
      return [
        Self.harmless.contains(name)
          ? value : CacheKey.digest(of: [HTTPField(name: name, byteText: value)])
      ]
    }
    let elements = fields.flatMap { $0.byteText.fieldElements() }
    // An empty field is not an absent one.
    guard !elements.isEmpty else { return [""] }
    return elements.map { name == .accept ? $0.withLowercasedType : $0.asciiLowercased }
  }

  /// Lists whose elements have a case without a meaning.
  private static let lists: Set<HTTPField.Name> = [.accept, .acceptEncoding, .acceptLanguage]

  /// Fields without secrets, whose values a developer wants to read in a list of stored responses.
  private static let harmless: Set<HTTPField.Name> = [.origin, .userAgent]
}

extension String {
  /// A media range with its type in lower case. The values of its parameters may have a case with a meaning (RFC 9110
  /// §8.3.1).
  fileprivate var withLowercasedType: String {
    let type = prefix { $0 != ";" }
    return type.asciiLowercased + self[type.endIndex...]
  }
}
