import EssentialFoundation
import HTTPTypes
import MartletCore

/// The values of attributes as OpenTelemetry's conventions for HTTP define them.
enum Conventions {
  /// The value of `http.request.method`: `_OTHER` for a method that is not well known.
  static func name(of method: HTTPRequest.Method) -> String {
    switch method {
    case .get, .post, .put, .delete, .head, .patch, .options, .trace, .connect, .query:
      method.rawValue
    default: "_OTHER"
    }
  }

  /// The value of `network.protocol.version`.
  static func version(isMultiplexed: Bool) -> String { isMultiplexed ? "2" : "1.1" }

  /// The value of `error.type` for a status: a client's request has failed from 400 on.
  static func errorType(of status: Int?) -> String? {
    status.flatMap { $0 >= 400 ? String($0) : nil }
  }

  /// The URL of a request for attributes: passwords and credentials in the query are replaced as the conventions require.
  static func url(of request: Request) -> String {
    let text = request.urlText.maskingSecretParameters(with: "REDACTED", isURL: true)
    guard text.utf8.contains(UInt8(ascii: "@")) else { return text }
    return text.withoutUserInfo.replacing("//***@", with: "//REDACTED:REDACTED@")
  }
}

extension Duration {
  /// The duration in nanoseconds.
  var nanoseconds: Int64 { Int64(truncatingIfNeeded: attoseconds / 1_000_000_000) }
}

extension HTTPRequest.Method {
  fileprivate static let query = Self("QUERY") ?? .get
}
