import HTTPTypes

extension HTTPField {
  /// Whether the field tells who asks: what is defined for that, and what the caller has marked as secret by
  /// the indexing strategy `.disallow`.
  var isCredential: Bool {
    switch name {
    case .authorization, .cookie, .proxyAuthorization: true
    default: indexingStrategy == .disallow
    }
  }
}
