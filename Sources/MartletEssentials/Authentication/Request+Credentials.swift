import EssentialFoundation
import HTTPTypes
import MartletCore
import MartletTransport

extension Request {
  /// Removes the user name and password from the URL, and returns them; `nil` if both are empty or absent.
  mutating func extractUserInfo() -> Credential? {
    guard hasUserInfo else { return nil }
    let user = url.user(percentEncoded: false) ?? ""
    let password = url.password(percentEncoded: false) ?? ""
    var parts = URLReference(url.absoluteString)
    parts.userInfo = nil
    if let plain = try? parts.url() { url = plain }
    return user.isEmpty && password.isEmpty ? nil : .password(user: user, password: password)
  }
}

extension Request {
  /// Copies the user info from the URL of an earlier request to the same server, unless this URL has its own.
  mutating func inheritUserInfo(from earlier: Request) {
    guard earlier.hasUserInfo, !hasUserInfo else { return }
    var parts = URLReference(url.absoluteString)
    parts.userInfo = URLReference(earlier.url.absoluteString).userInfo
    if let named = try? parts.url() { url = named }
  }
}

extension HTTPField {
  /// Returns an `Authorization` field, marked as secret.
  ///
  /// - Throws: `MartletError` with code `.invalidHeader` when the value contains characters that are not allowed in a
  ///   field.
  static func authorization(_ value: String) throws(MartletError) -> HTTPField {
    var field = try HTTPField(validating: "Authorization", value: value)
    field.indexingStrategy = .disallow
    return field
  }
}

extension HTTPField {
  /// Whether the field contains a credential: `Authorization`, `Cookie`, `Proxy-Authorization`, and every field that
  /// the caller has marked as secret with the indexing strategy `.disallow`.
  var isCredential: Bool {
    switch name {
    case .authorization, .cookie, .proxyAuthorization: true
    default: indexingStrategy == .disallow
    }
  }
}
