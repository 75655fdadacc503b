import EssentialFoundation
import HTTPTypes
import NIOCore

extension ResponseHead: CustomStringConvertible, CustomReflectable {
  /// The head as text, such as `<ResponseHead: 200 OK [Set-Cookie: ***]>`; secrets are masked.
  public var description: String { "<ResponseHead: \(text)>" }

  /// What debuggers show; secrets are masked here, too.
  public var customMirror: Mirror {
    Mirror(
      self, children: ["status": status.description, "headers": headers.map(\.masked)],
      displayStyle: .struct)
  }

  fileprivate var text: String { "\(status)\(headers.masked)" }
}

extension Response: CustomStringConvertible, CustomReflectable {
  /// The response as text, such as `<Response: 200 OK [Set-Cookie: ***] from https://example.com/, 12
  /// bytes>`; secrets are masked.
  public var description: String { "<Response: \(head.text) from \(url.masked), \(body)>" }

  /// What debuggers show; secrets are masked here, too.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "head": head, "url": url.masked, "body": body, "redirects": redirects, "metrics": metrics,
      ], displayStyle: .struct)
  }
}

extension ResponseBody: CustomStringConvertible, CustomReflectable {
  /// What kind of body it is: `12 bytes`, `a stream`, or `the file /tmp/x`.
  public var description: String {
    if let bytes { return "\(bytes.readableBytes) bytes" }
    return file.map { "the file \($0.path.masked)" } ?? "a stream"
  }

  /// What debuggers show: no more than the description says.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
