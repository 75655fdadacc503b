public import EssentialFoundation
public import HTTPTypes

/// A response that was followed to another one.
public struct Redirect: Sendable {
  /// The method of the request that it answers.
  public var method: HTTPRequest.Method
  /// The URL that answered.
  public var url: URL
  /// Its status and header fields, `Location` among them. The body was discarded.
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

  /// What debuggers show; secrets are masked.
  public var customMirror: Mirror {
    Mirror(
      self, children: ["method": method.rawValue, "url": url.masked, "head": head],
      displayStyle: .struct)
  }
}
