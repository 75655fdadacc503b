import HTTPTypes

extension Request: CustomStringConvertible, CustomReflectable {
  /// The request as text, such as
  /// `<Request: POST https://example.com/ [Authorization: ***], 12 bytes>`; secrets are masked.
  public var description: String {
    "<Request: \(method.rawValue) \(url.masked)\(headers.masked)\(body.amount)>"
  }

  /// What debuggers show; secrets are masked here, too.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "method": method.rawValue, "url": url.masked, "headers": headers.map(\.masked),
        "body": body.length as Any, "options": options,
      ], displayStyle: .struct)
  }
}

extension Body {
  /// How much there is, as the end of a description.
  fileprivate var amount: String {
    if isEmpty { return "" }
    return length.map { ", \($0) bytes" } ?? ", a body of unknown length"
  }
}
