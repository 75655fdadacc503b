import HTTPTypes
import MartletCore
import NIOCore

/// Opens a tunnel through an HTTP proxy (RFC 9110 §9.3.6).
struct HTTPTunnel: TunnelNegotiation {
  private enum State {
    case sendingRequest
    case head
    /// The body of a refusal is skipped, and then the request is sent again.
    case refusal(BodyReader, mayGoOn: Bool)
    case over
  }

  /// How many response heads are read at most, including those of interim responses.
  private static let headLimit = 32

  private let access: ProxyAccess
  private let origin: Origin
  private let limits: HTTPTransportConfiguration.Limits
  private var state = State.sendingRequest
  private var pending = ByteBuffer()
  private var section: FieldSection
  private var heads = 0
  private var refusals = 0
  private var skippedByteCount = 0
  /// The last `Proxy-Authorization` that was sent.
  private var answered: String?
  /// Whether it was the answer to a challenge.
  private var wasChallenged: Bool

  /// - Parameters:
  ///   - access: The access to the proxy.
  ///   - origin: The server at the end of the tunnel.
  ///   - limits: The limits on the proxy's responses.
  ///   - wasChallenged: Whether the proxy required authentication and then closed the connection. The default is
  ///     false.
  init(
    _ access: ProxyAccess, to origin: Origin, _ limits: HTTPTransportConfiguration.Limits,
    wasChallenged: Bool = false
  ) {
    self.access = access
    self.wasChallenged = wasChallenged
    self.origin = origin
    self.limits = limits
    section = FieldSection(limit: limits.responseHeadSize)
  }

  mutating func receive(_ bytes: ByteBuffer) {
    pending.writeImmutableBuffer(bytes)
  }

  func closed(underlying: (any Error)?) -> MartletError {
    .proxyClosed(access.name, to: origin, underlying: underlying)
  }

  mutating func next() throws(MartletError) -> TunnelStep {
    while true {
      switch state {
      case .sendingRequest:
        state = .head
        return .send(request())
      case .head:
        guard let head = try readHead() else { return .wait }
        if let step = try evaluate(head) { return step }
      case .refusal(let body, let mayGoOn):
        if let step = try skipBody(body, mayGoOn: mayGoOn) { return step }
      case .over: return .wait
      }
    }
  }

  /// The request, with the host and port of the server, and the authorization if there is one.
  private mutating func request() -> ByteBuffer {
    let target = origin.tunnelAuthority
    answered = access.authorization(method: "CONNECT", target: target)
    let authorization = answered.map { "Proxy-Authorization: \($0)\r\n" } ?? ""
    return ByteBuffer(
      string: "CONNECT \(target) HTTP/1.1\r\nHost: \(target)\r\n\(authorization)\r\n")
  }

  private mutating func readHead() throws(MartletError) -> HeadParser.Head? {
    do throws(MartletError) {
      var cache = HeadCache()
      let head = try section.nextHead(&pending, &cache)
      if head != nil { heads += 1 }
      guard heads <= Self.headLimit else {
        throw .malformedResponse("more than \(Self.headLimit) response heads arrived")
      }
      return head
    } catch {
      throw .proxyNotHTTP(access.name, underlying: error)
    }
  }

  /// The step after a response head; `nil` when more must be read first.
  private mutating func evaluate(_ parsed: HeadParser.Head) throws(MartletError) -> TunnelStep? {
    let status = parsed.head.status
    switch status.code {
    case ..<200: return nil
    case ..<300:
      // Whatever the fields say, no body follows: the next byte comes from the server.
      state = .over
      access.receiveAuthenticationInfo(parsed.head)
      return .open(pending)
    case 407: return try refused(parsed)
    default: throw .tunnelRefused(access.name, to: origin, status: "\(status)")
    }
  }

  private mutating func refused(_ parsed: HeadParser.Head) throws(MartletError) -> TunnelStep? {
    try access.receiveChallenge(parsed.head, to: answered, wasChallenged: wasChallenged)
    wasChallenged = true
    refusals += 1
    guard refusals <= PasswordAuthenticator.answerLimit else {
      throw .proxyAuthenticationLoop(access.name)
    }
    let framing: BodyFraming
    do throws(MartletError) {
      framing = try BodyFraming(parsed, answering: .get)
    } catch {
      throw .proxyNotHTTP(access.name, underlying: error)
    }
    guard framing != .untilClose else { return .startOver }
    skippedByteCount = 0
    state = .refusal(
      BodyReader(framing, trailerLimit: limits.responseHeadSize),
      mayGoOn: parsed.allowsReuse(after: framing))
    return nil
  }

  private mutating func skipBody(_ body: BodyReader, mayGoOn: Bool) throws(MartletError)
    -> TunnelStep?
  {
    guard mayGoOn else { return .startOver }
    var body = body
    let part: BodyReader.Part?
    do throws(MartletError) {
      part = try body.next(&pending)
    } catch {
      throw .proxyNotHTTP(access.name, underlying: error)
    }
    switch part {
    case nil:
      state = .refusal(body, mayGoOn: mayGoOn)
      return .wait
    case .data(let bytes):
      state = .refusal(body, mayGoOn: mayGoOn)
      skippedByteCount += bytes.readableBytes
      return skippedByteCount > limits.discardedBodySize ? .startOver : nil
    case .end:
      // Unsolicited bytes must not be taken for the next response.
      guard pending.readableBytes == 0 else { return .startOver }
      state = .sendingRequest
      return nil
    }
  }
}

extension Origin {
  /// Host and port, in the form of a tunnel's target (RFC 9112 §3.2.3).
  fileprivate var tunnelAuthority: String {
    guard case .host(_, let port) = endpoint else { return authority }
    // The authority leaves out the scheme's default port.
    let hasPort = port != (isSecure ? 443 : 80)
    return hasPort ? authority : "\(authority):\(port)"
  }
}
