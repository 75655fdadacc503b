import Foundation
import MartletCore

extension SessionTask: CustomStringConvertible, CustomReflectable {
  /// The task as text, such as `<SessionTask 7: GET https://example.com/ running>`, with its `taskDescription`
  /// behind the number if it has one.
  public var description: String {
    let url = originalRequest.url.absoluteString.withoutUserInfo
    let name = taskDescription.map { " “\($0)”" } ?? ""
    return "<SessionTask \(identifier)\(name): \(originalRequest.method) \(url) \(state)>"
  }

  /// What debuggers show; secrets are masked here, too.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "identifier": identifier, "state": state, "originalRequest": originalRequest,
        "taskDescription": taskDescription as Any, "call": call,
        "response": response as Any, "error": error as Any,
      ], displayStyle: .class)
  }
}
