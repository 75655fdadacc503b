import Foundation
import MartletCore

extension HTTPSessionManager: CustomStringConvertible, CustomReflectable {
  /// The manager as text, such as `<HTTPSessionManager baseURL: https://example.com/v1/>` (HTM-8).
  public var description: String { "<HTTPSessionManager baseURL: \(maskedBaseURL)>" }

  /// What debuggers show; the user of the base URL is masked here, too.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "baseURL": maskedBaseURL, "session": session, "requestSerializer": requestSerializer,
        "responseSerializer": responseSerializer,
      ], displayStyle: .class)
  }

  private var maskedBaseURL: String { baseURL?.absoluteString.withoutUserInfo ?? "none" }
}
