import HTTPTypes
import MartletCore
import NIOCore

/// The state of one connection to a proxy that forwards its requests (RFC 9112 §3.2.2).
struct ForwardProxy {
  let access: ProxyAccess
  private let base: String
  /// The value of `Proxy-Authorization` in the current request.
  private(set) var authorization: String?

  init(_ access: ProxyAccess, authority: String) {
    self.access = access
    base = "http://" + authority
  }

  /// Returns the parts of a request's head that are for the proxy.
  mutating func forwarding(_ request: Request) -> RequestHeadEncoder.Forwarding {
    let target = base + request.target
    // The caller's own field takes precedence.
    authorization = request.ownHeaders[.proxyAuthorization]
    guard authorization == nil else { return RequestHeadEncoder.Forwarding(target: target) }
    authorization = access.authorization(
      method: request.method.rawValue, target: target, body: request.body.inMemory)
    return RequestHeadEncoder.Forwarding(target: target, authorization: authorization)
  }

  /// Returns an error about the proxy if it does not speak HTTP, otherwise `error` itself.
  ///
  /// - Parameters:
  ///   - error: The error of the response.
  ///   - beginsAsHTTP: Whether the response begins like one of HTTP/1.
  /// - Returns: The error for the caller.
  func explained(_ error: MartletError, beginsAsHTTP: Bool) -> MartletError {
    guard error.code == .malformedResponse, !beginsAsHTTP else { return error }
    var explained = MartletError.proxyNotHTTP(access.name, underlying: error)
    // The proxy may have forwarded the request.
    explained.isSafeToRetry = false
    return explained
  }
}

extension HTTP1Connection {
  /// Handles a response with which the proxy itself requires authentication: the request is sent again. From any other
  /// response, the proxy's authentication information is recorded.
  ///
  /// - Returns: Whether the proxy requires authentication.
  /// - Throws: `MartletError` with code `.proxyAuthenticationRequired` when the credentials are missing or refused,
  ///   when no scheme of the proxy is supported, or when the proxy has rejected too many answers; `.bodyNotReplayable`
  ///   when the body cannot be sent again.
  func answerProxyChallenge(_ head: ResponseHead, _ exchange: Exchange) throws(MartletError)
    -> Bool
  {
    guard let forwardProxy else { return false }
    guard head.status == .proxyAuthenticationRequired else {
      forwardProxy.access.receiveAuthenticationInfo(head)
      return false
    }
    let proxy = forwardProxy.access.name
    do throws(MartletError) {
      try forwardProxy.access.receiveChallenge(
        head, to: forwardProxy.authorization, wasChallenged: exchange.wasChallengedByProxy)
      guard exchange.request.body.isReplayable else { throw .proxyNeedsReplay(proxy) }
      guard exchange.request.ownHeaders[.proxyAuthorization] == nil else {
        throw .proxyRefusesCredentials(proxy)
      }
      guard exchange.canRetry else { throw .proxyAuthenticationLoop(proxy) }
    } catch {
      var error = error
      error.response = head
      throw error
    }
    exchange.wasChallengedByProxy = true
    exchange.receiving.discardForRetry(exchange.now)
    return true
  }
}

extension RequestBody {
  /// The whole body, if it is in memory.
  fileprivate var inMemory: ByteBuffer? {
    if case .bytes(let bytes) = source { bytes } else { nil }
  }
}
