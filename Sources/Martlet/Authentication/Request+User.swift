import Foundation
import HTTPTypes
import MartletCore
import MartletTransport

extension Request {
  /// Takes the user's name and password out of the URL.
  mutating func takeUser() -> Credential? {
    guard hasUser, var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
      return nil
    }
    let (user, password) = (parts.user ?? "", parts.password ?? "")
    parts.user = nil
    parts.password = nil
    if let plain = parts.url { url = plain }
    return user.isEmpty && password.isEmpty ? nil : .password(user: user, password: password)
  }
}

extension Request {
  /// Keeps to the user whom an earlier request to the same server named in its URL, unless this one names another.
  mutating func keepUser(of earlier: Request) {
    guard earlier.hasUser, !hasUser,
      var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
    else { return }
    let old = URLComponents(url: earlier.url, resolvingAgainstBaseURL: true)
    parts.percentEncodedUser = old?.percentEncodedUser
    parts.percentEncodedPassword = old?.percentEncodedPassword
    if let named = parts.url { url = named }
  }
}

extension HTTPField {
  /// A field that is nobody's business.
  ///
  /// - Throws: `MartletError` with code `.invalidHeader` when a secret holds what may not stand in a field.
  static func authorization(_ value: String) throws(MartletError) -> HTTPField {
    var field = try HTTPField(checking: "Authorization", value: value)
    field.indexingStrategy = .disallow
    return field
  }
}
