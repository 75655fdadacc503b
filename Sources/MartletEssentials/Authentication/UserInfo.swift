import EssentialFoundation
import HTTPTypes
import MartletCore
import MartletTransport

/// The user name and password in a URL.
extension URL {
  /// The user name and password; `nil` if both are empty or absent.
  var credential: Credential? {
    let user = user(percentEncoded: false) ?? ""
    let password = password(percentEncoded: false) ?? ""
    return user.isEmpty && password.isEmpty ? nil : .password(user: user, password: password)
  }

  /// The URL without user name and password.
  var withoutUserInfo: URL { withUserInfo(nil) }

  /// Returns the URL with the user name and password of another URL.
  func withUserInfo(of other: URL) -> URL {
    withUserInfo(URLReference(other.absoluteString).userInfo)
  }

  private func withUserInfo(_ userInfo: URLReference.Component?) -> URL {
    var parts = URLReference(absoluteString)
    parts.userInfo = userInfo
    return (try? parts.url()) ?? self
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
