package import HTTPTypes

extension HTTPRequest.Method {
  /// Whether sending a request twice has the effect of sending it once (RFC 9110 §9.2.2).
  package var isIdempotent: Bool {
    switch self {
    case .get, .head, .put, .delete, .options, .trace: true
    default: false
    }
  }
}

extension HTTPField.Name {
  /// The same in each attempt of a request (draft-ietf-httpapi-idempotency-key-header).
  package static let idempotencyKey = HTTPField.Name("Idempotency-Key") ?? .ifMatch
}
