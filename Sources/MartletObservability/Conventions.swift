import HTTPTypes
import MartletCore

/// The values of attributes as OpenTelemetry's conventions for HTTP define them.
enum Conventions {
  /// The methods that `http.request.method` may name; others are `_OTHER`.
  private static let methods: Set<String> = [
    "CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "QUERY", "TRACE",
  ]

  /// The value of `http.request.method`.
  static func name(of method: HTTPRequest.Method) -> String {
    methods.contains(method.rawValue) ? method.rawValue : "_OTHER"
  }

  /// The value of `network.protocol.version`; `nil` if it is not known.
  static func version(of connection: ConnectionInfo?) -> String? {
    connection.map { $0.isMultiplexed ? "2" : "1.1" }
  }

  /// The value of `error.type` for a status: a client's request has failed from 400 on.
  static func errorType(of status: HTTPResponse.Status?) -> String? {
    status.flatMap { $0.code >= 400 ? String($0.code) : nil }
  }

  /// A URL for attributes: user and password are replaced as the conventions require.
  static func text(of request: Request) -> String {
    request.url.masked.replacing("***@", with: "REDACTED:REDACTED@")
  }
}
