import HTTPTypes
import MartletCore

extension Request {
  /// The request as a server behind a tunnel gets it: what the caller says to proxies is none of its business
  /// (RFC 9110 §11.7.2).
  var behindTunnel: Request {
    guard headers.contains(.proxyAuthorization) else { return self }
    var request = self
    request.headers[.proxyAuthorization] = nil
    return request
  }
}
