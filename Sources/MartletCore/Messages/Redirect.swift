public import EssentialFoundation
public import HTTPTypes

/// A redirect response that was followed.
public struct Redirect: Sendable {
  /// The method of the redirected request.
  public var method: HTTPRequest.Method
  /// The URL of the redirected request.
  public var url: URL
  /// The status and header fields, including `Location`. The body was discarded.
  public var head: ResponseHead

  /// A redirect from its parts.
  public init(method: HTTPRequest.Method, url: URL, head: ResponseHead) {
    self.method = method
    self.url = url
    self.head = head
  }
}

extension Redirect: CustomStringConvertible, CustomReflectable {
  /// The redirect as text, such as `<Redirect: 302 Found from GET https://example.com/>`; secrets are masked.
  public var description: String {
    "<Redirect: \(head.status) from \(method.rawValue) \(url.masked)>"
  }

  /// The mirror for debuggers; secrets are masked.
  public var customMirror: Mirror {
    Mirror(
      self, children: ["method": method.rawValue, "url": url.masked, "head": head],
      displayStyle: .struct)
  }
}
