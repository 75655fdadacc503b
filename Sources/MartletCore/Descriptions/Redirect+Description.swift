import HTTPTypes

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
