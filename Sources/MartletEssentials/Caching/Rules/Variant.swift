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

  /// Returns the values of a field, so that fields with the same meaning are equal: as one list, without blanks around
  /// its elements, and in lower case where case has no meaning. Credentials are replaced by a digest.
  fileprivate func values(varying name: HTTPField.Name) -> [String] {
    let fields = self[fields: name]
    guard !fields.contains(where: \.isCredential) else { return [CacheKey.digest(of: fields)] }
    let elements = fields.flatMap { $0.value.fieldElements() }
    return Self.ignoringCase.contains(name) ? elements.map(\.asciiLowercased) : elements
  }

  /// The fields whose values are equal in upper and in lower case.
  private static let ignoringCase: Set<HTTPField.Name> = [
    .accept, .acceptEncoding, .acceptLanguage,
  ]
}
