import HTTPTypes

extension HTTPRequest.Method {
  /// Whether sending a request twice has the effect of sending it once (RFC 9110 §9.2.2).
  var isIdempotent: Bool {
    switch self {
    case .get, .head, .put, .delete, .options, .trace: true
    default: false
    }
  }

  /// Whether the connection becomes a tunnel if the server agrees (RFC 9110 §9.3.6).
  ///
  /// Most methods have another length, which is cheaper to see.
  var asksForTunnel: Bool { rawValue.utf8.count == 7 && self == .connect }
}
