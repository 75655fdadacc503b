import MartletCore
import NIOCore

/// Requests a connection from a SOCKS 5 proxy (RFC 1928), with user and password if required (RFC 1929).
///
/// A host name is sent as it is, and the proxy looks it up.
struct SOCKS5Handshake: TunnelNegotiation {
  private enum State {
    case greeting
    case method
    case login
    case reply
    case over
  }

  private static let version: UInt8 = 5
  private static let loginVersion: UInt8 = 1

  private let proxy: Proxy
  private let origin: Origin
  private let request: ByteBuffer
  private var state = State.greeting
  private var pending = ByteBuffer()

  /// - Throws: `MartletError` with code `.invalidURL` for a host name that is too long to be sent.
  init(_ proxy: Proxy, to origin: Origin) throws(MartletError) {
    self.proxy = proxy
    self.origin = origin
    request = try Self.request(to: origin, proxy)
  }

  mutating func receive(_ bytes: ByteBuffer) {
    pending.writeImmutableBuffer(bytes)
  }

  func closed(underlying: (any Error)?) -> MartletError {
    // Some proxies close the connection instead of refusing the credentials.
    state == .login
      ? .proxyRefusesCredentials(proxy.address)
      : .proxyClosed(proxy.address, to: origin, underlying: underlying)
  }

  mutating func next() throws(MartletError) -> TunnelStep {
    switch state {
    case .greeting:
      state = .method
      return .send(greeting)
    case .method: return try readMethod()
    case .login: return try readLogin()
    case .reply: return try readReply()
    case .over: return .wait
    }
  }

  // MARK: Authentication

  /// The authentication methods offered: none, or user name and password.
  private var greeting: ByteBuffer {
    let methods: [UInt8] = proxy.credential == nil ? [0] : [0, 2]
    return ByteBuffer(bytes: [Self.version, UInt8(methods.count)] + methods)
  }

  private mutating func readMethod() throws(MartletError) -> TunnelStep {
    try check(Self.version)
    guard let answer = pending.readBytes(length: 2) else { return .wait }
    switch answer[1] {
    case 0:
      state = .reply
      return .send(request)
    case 2 where proxy.credential != nil:
      state = .login
      return .send(login)
    case 0xFF where proxy.credential == nil: throw .proxyCredentialsMissing(proxy.address)
    case 0xFF: throw .proxyRefusesCredentials(proxy.address)
    default: throw .proxyNotSOCKS(proxy.address)
    }
  }

  private var login: ByteBuffer {
    var login = ByteBuffer(integer: Self.loginVersion)
    for text in [proxy.user ?? "", proxy.password ?? ""] {
      login.writeInteger(UInt8(clamping: text.utf8.count))
      login.writeString(text)
    }
    return login
  }

  private mutating func readLogin() throws(MartletError) -> TunnelStep {
    try check(Self.loginVersion)
    guard let answer = pending.readBytes(length: 2) else { return .wait }
    guard answer[1] == 0 else { throw .proxyRefusesCredentials(proxy.address) }
    state = .reply
    return .send(request)
  }

  // MARK: The connection

  /// Version, command CONNECT, a reserved byte, address, port.
  private static func request(to origin: Origin, _ proxy: Proxy) throws(MartletError) -> ByteBuffer
  {
    guard case .host(let host, let port) = origin.endpoint else { return ByteBuffer() }
    var request = ByteBuffer(bytes: [version, 1, 0])
    if let address = IPAddress(host, port: port) {
      request.writeInteger(UInt8(address.bytes.count == 4 ? 1 : 4))
      request.writeBytes(address.bytes)
    } else {
      guard let length = UInt8(exactly: host.utf8.count) else {
        throw .hostTooLongForSOCKS(proxy.address, bytes: host.utf8.count)
      }
      request.writeBytes([3, length])
      request.writeString(host)
    }
    request.writeInteger(UInt16(clamping: port))
    return request
  }

  private mutating func readReply() throws(MartletError) -> TunnelStep {
    try check(Self.version)
    // A proxy that refuses may send nothing after the code.
    if let code = pending.getInteger(at: pending.readerIndex + 1, as: UInt8.self), code != 0 {
      let reply = SOCKS5Reply(code: code)
      throw .socksRefused(
        proxy.address, to: origin, reason: reply.reason, hasFailed: reply.hasFailed)
    }
    guard let length = try replyLength() else { return .wait }
    guard pending.readableBytes >= length else { return .wait }
    pending.moveReaderIndex(forwardBy: length)
    state = .over
    return .open(pending)
  }

  /// The length of the reply, which depends on the type of its address; `nil` until enough bytes have arrived.
  ///
  /// The address is that of the proxy's own connection, and is not needed.
  private func replyLength() throws(MartletError) -> Int? {
    let start = pending.readerIndex
    guard let kind = pending.getInteger(at: start + 3, as: UInt8.self) else { return nil }
    switch kind {
    case 1: return 4 + 4 + 2
    case 4: return 4 + 16 + 2
    case 3: return pending.getInteger(at: start + 4, as: UInt8.self).map { 5 + Int($0) + 2 }
    default: throw .proxyNotSOCKS(proxy.address)
    }
  }

  /// Checks the first byte, which is different in other protocols.
  private func check(_ version: UInt8) throws(MartletError) {
    guard let first = pending.getInteger(at: pending.readerIndex, as: UInt8.self) else { return }
    guard first == version else { throw .proxyNotSOCKS(proxy.address) }
  }
}

/// The reply of a SOCKS 5 proxy that has made no connection (RFC 1928 §6).
struct SOCKS5Reply: Equatable {
  let code: UInt8

  /// Whether the proxy itself has failed, so that another one may succeed.
  var hasFailed: Bool { code == 1 }

  /// The reason as a clause.
  var reason: String {
    switch code {
    case 1: "it failed, and does not say why"
    case 2: "its rules forbid it"
    case 3: "it has no route to the network"
    case 4: "it has no route to the host, or does not know it"
    case 5: "nothing listens there"
    case 6: "no answer came in time"
    case 7: "it makes no connections at all"
    case 8: "it does not know this kind of address"
    default: "it replied with the unknown code \(code)"
    }
  }
}
