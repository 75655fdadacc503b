public import HTTPTypes

/// The fields that a request sends after its body (RFC 9110 §6.5), such as a checksum that is known only then.
///
///     request.trailers = ["X-Checksum": checksum]
///     request.trailers = .computed(["X-Checksum"]) {
///       try HTTPFields(validating: ["X-Checksum": hash.finalText])
///     }
///
/// Over HTTP/1.1, a body with trailers is sent in chunks (RFC 9112 §7.1.2), even if its length is known.
public struct RequestTrailers: Sendable {
  /// The names in the `Trailer` field of the request's head, which announces them.
  public let names: [HTTPField.Name]
  private let make: @Sendable () async throws -> HTTPFields

  /// Trailers whose values are known in advance. All of them are announced.
  ///
  /// - Parameter fields: The fields, sent in order.
  /// - Returns: Trailers that can be sent again.
  public static func fields(_ fields: HTTPFields) -> RequestTrailers {
    RequestTrailers(names: fields.map(\.name)) { fields }
  }

  /// Trailers whose values a closure computes when the whole body has been produced.
  ///
  /// - Parameters:
  ///   - names: The names to announce. A field may be sent without it, but a server may ignore such a field. A name
  ///     that is not allowed in a header is left out. The default is none.
  ///   - make: Returns the fields, sent in order. Called once each time the body is sent. If it throws, the request
  ///     fails: with a `MartletError` unchanged, and with any other error as the `underlying` of one with code
  ///     `.bodyNotReadable`.
  /// - Returns: Trailers that can be sent again.
  public static func computed(
    _ names: [String] = [], _ make: @escaping @Sendable () async throws -> HTTPFields
  ) -> RequestTrailers {
    RequestTrailers(names: names.compactMap { HTTPField.Name($0) }, make: make)
  }

  private init(names: [HTTPField.Name], make: @escaping @Sendable () async throws -> HTTPFields) {
    self.names = names
    self.make = make
  }

  /// Returns the fields to send.
  ///
  /// - Throws: `MartletError` with code `.invalidHeader` for a field that must not follow the body; what the closure
  ///   throws.
  package func fields() async throws -> HTTPFields {
    let fields = try await make()
    if let field = fields.first(where: { Self.isForbidden($0.name) }) {
      throw MartletError.trailerNotAllowed(field.name.rawName)
    }
    return fields
  }

  /// Returns the trailers without those fields that `isIncluded` refuses.
  package func filter(_ isIncluded: @escaping @Sendable (HTTPField) -> Bool) -> RequestTrailers {
    RequestTrailers(names: names) { [make] in HTTPFields(try await make().filter(isIncluded)) }
  }

  /// Checks the names that are announced, before anything is sent.
  ///
  /// - Throws: `MartletError` with code `.invalidHeader` for a field that must not follow the body.
  package func checkNames() throws(MartletError) {
    if let name = names.first(where: Self.isForbidden) { throw .trailerNotAllowed(name.rawName) }
  }

  /// RFC 9110 §6.5.1: fields that frame or route the message, authenticate it, change its meaning, or say how to read
  /// its content.
  private static func isForbidden(_ name: HTTPField.Name) -> Bool {
    let name = name.canonicalName
    return name.hasPrefix(":") || name.hasPrefix("if-") || forbidden.contains(name)
  }

  private static let forbidden: Set<String> = [
    "authorization", "cache-control", "connection", "content-encoding", "content-length",
    "content-range", "content-type", "cookie", "expect", "host", "keep-alive", "max-forwards",
    "proxy-authorization", "proxy-connection", "range", "te", "trailer", "transfer-encoding",
    "upgrade",
  ]
}

extension RequestTrailers: ExpressibleByDictionaryLiteral {
  /// Trailers from names and values, which are checked when they are sent: a name that is not a token, or a value with a
  /// line break, is a `MartletError` with code `.invalidHeader` then.
  public init(dictionaryLiteral elements: (String, String)...) {
    self = .computed(elements.map(\.0)) { () throws(MartletError) in
      var fields = HTTPFields()
      for (name, value) in elements { try fields.append(name: name, value: value) }
      return fields
    }
  }
}
