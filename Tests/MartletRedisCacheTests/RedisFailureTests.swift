import EssentialFoundation
import HTTPTypes
import Martlet
import MartletCore
import MartletTesting
import NIOCore
import NIOPosix
import Testing

@testable import MartletEssentials
@testable import MartletRedisCache

/// A server that fails costs one time-out, and no request fails because of it.
@Suite(.timeLimit(.minutes(5)))
struct RedisFailureTests {
  /// A cache with a clock that the test moves.
  private final class Rig: Sendable {
    let cache: RedisResponseCache
    private let time = Locked(NIODeadline.uptimeNanoseconds(1))
    private let loop = MultiThreadedEventLoopGroup.singleton.next()

    init(_ configuration: RedisConfiguration, connectionWait: Duration = .seconds(30)) {
      let clock = RedisClock(now: { [time] in time.current }) { [time] amount in
        time.withLock { $0 = $0 + amount }
      }
      let client = RedisClient(
        configuration, on: loop, connectionWait: connectionWait, clock: clock)
      cache = RedisResponseCache(client) { CacheKey.time }
    }

    func wait(_ time: TimeAmount) {
      self.time.withLock { $0 = $0 + time }
    }

    /// Closes the idle connection from the side of the server, and returns when the client knows.
    func lose(_ server: RedisStub) async throws {
      try await server.closeConnections()
      // The client has closed its socket, in a turn of the loop that may not have ended.
      try await loop.submit {}.get()
    }

    func failure() async throws -> MartletError {
      let error = await #expect(throws: MartletError.self) {
        try await cache.responses(for: .first)
      }
      #expect(error?.code == .cacheFailed)
      return try #require(error)
    }
  }

  private static let paused = "has just failed, and is not used for a moment."

  private func check(
    _ answer: RedisStub.Answer, _ reason: String,
    _ change: (inout RedisConfiguration) -> Void = { _ in }
  ) async throws {
    let server = try await RedisStub.start { $0.first == "PING" ? nil : answer }
    var configuration = server.configuration
    change(&configuration)
    let rig = Rig(configuration)
    let error = try await rig.failure()
    #expect(error.message == "The Redis server at \(configuration.authority) \(reason).")
    let next = try await rig.failure()
    #expect(next.message.hasSuffix(Self.paused))
    #expect((next.underlying as? MartletError)?.message == error.message)
    #expect(server.connectionCount.current == 1)
    rig.wait(.seconds(1))
    #expect(try await rig.failure().message == error.message)
    #expect(server.connectionCount.current == 2)
  }

  @Test(arguments: [-1, 0, 70_000]) func `a port out of range is an error`(port: Int) async throws {
    var configuration = RedisConfiguration(host: "127.0.0.1", port: port)
    configuration.tls = RedisConfiguration.TLS()
    let error = try await Rig(configuration).failure()
    #expect(error.message.contains("the port must be a number from 1 to 65535"))
  }

  @Test func `an answer that is not RESP2 closes the connection`() async throws {
    try await check(
      .bytes("HTTP/1.1 400 Bad Request\r\n"),
      "did not answer in RESP2: a reply has an unknown type")
  }

  @Test func `an answer of another type closes the connection`() async throws {
    try await check(
      .reply(.integer(1)), "did not answer in RESP2: a reply has another type than its command")
  }

  @Test func `a slow server costs one time-out`() async throws {
    try await check(.silence, "did not answer within 200 ms") {
      $0.timeout = .milliseconds(200)
    }
  }

  @Test func `an answer that is cut short is a slow answer`() async throws {
    try await check(.bytes("$100\r\nabc"), "did not answer within 200 ms") {
      $0.timeout = .milliseconds(200)
    }
  }

  @Test func `a server that closes the connection is a failure`() async throws {
    try await check(.close, "closed the connection")
  }

  @Test(arguments: [
    ("LOADING Redis is loading the dataset in memory", "is loading its data (LOADING)"),
    (
      "READONLY You can't write against a read only replica.",
      "is a replica, which accepts no changes (READONLY)"
    ),
    ("MASTERDOWN Link with MASTER is down", "is a replica that has lost its primary (MASTERDOWN)"),
    (
      "OOM command not allowed when used memory > 'maxmemory'.",
      "has no free memory, and its policy evicts no keys (OOM)"
    ),
    (
      "MISCONF Redis is configured to save RDB snapshots",
      "accepts no changes because it cannot save its data (MISCONF)"
    ),
    ("MOVED 3999 127.0.0.1:6381", "is a node of a cluster, which is not supported (MOVED)"),
    (
      "CLUSTERDOWN Hash slot not served",
      "is a node of a cluster, which is not supported (CLUSTERDOWN)"
    ),
  ])
  func `a server that cannot be used now is not used for a moment`(
    _ text: String, _ reason: String
  ) async throws {
    try await check(.reply(.error(text)), reason)
  }

  @Test func `another error does not keep the next command from the server`() async throws {
    let server = try await RedisStub.start { words in
      words.first == "EVAL" ? .reply(.error("NOPERM no permission for 'get'")) : nil
    }
    let rig = Rig(server.configuration)
    for _ in 0..<2 {
      let message = try await rig.failure().message
      #expect(message.hasSuffix(" answered EVAL with an error: NOPERM no permission for ."))
    }
    #expect(server.connectionCount.current == 1)
  }

  @Test func `a key of another type is an error, and the message names the command`() async throws {
    let server = try await RedisStub.start()
    let rig = Rig(server.configuration)
    let layout = RedisLayout(.first, prefix: "martlet:")
    server.database.withLock { $0.values[layout.variants] = .text(ByteBuffer()) }
    #expect(try await rig.failure().message.contains(" answered EVAL with an error: WRONGTYPE"))
    let error = await #expect(throws: MartletError.self) {
      try await rig.cache.store(.stub(), for: .first)
    }
    #expect(error?.message.contains(" answered EVAL with an error: WRONGTYPE") == true)
  }

  @Test(arguments: [
    ("WRONGPASS invalid username-password pair or user is disabled.", "WRONGPASS"),
    ("ERR unknown command 'AUTH', with args beginning with: 's3cret' ", "ERR"),
    ("ERR bad s3cr", "ERR"), ("s3cret is wrong", "no code"), ("", "no code"),
  ])
  func `an error of authentication shows only its code`(_ text: String, _ shown: String)
    async throws
  {
    let server = try await RedisStub.start { $0.first == "AUTH" ? .reply(.error(text)) : nil }
    var configuration = server.configuration
    configuration.password = "s3cret"
    let rig = Rig(configuration)
    let error = try await rig.failure()
    #expect(
      error.message
        == "The Redis server at \(configuration.authority) answered AUTH with an error: \(shown).")
    #expect(!"\(error) \(error.underlying as Any)".contains("s3cr"))
    #expect(try await rig.failure().message.hasSuffix(Self.paused))
  }

  @Test func `a server that cannot be reached is an error with its address`() async throws {
    let port = try ReservedPort.refusing()
    let rig = Rig(RedisConfiguration(host: "127.0.0.1", port: port.port))
    let error = try await rig.failure()
    #expect(
      error.message.hasPrefix("The Redis server at 127.0.0.1:\(port.port) could not be reached: "))
    #expect(try await rig.failure().message.hasSuffix(Self.paused))
  }

  @Test func `a server that accepts connections and never answers costs one time-out`() async throws
  {
    let port = try ReservedPort.silent()
    var configuration = RedisConfiguration(host: "127.0.0.1", port: port.port)
    configuration.connectTimeout = .seconds(3)
    configuration.tls = RedisConfiguration.TLS()
    let rig = Rig(configuration)
    #expect(try await rig.failure().message.hasSuffix(" did not answer within 3 s."))
    #expect(try await rig.failure().message.hasSuffix(Self.paused))
  }

  @Test func `calls do not wait for a connection longer than for an answer`() async throws {
    let server = try await RedisStub.start { $0.first == "PING" ? .silence : nil }
    let rig = Rig(server.configuration, connectionWait: .milliseconds(20))
    #expect(try await rig.failure().message.hasSuffix(" is not connected after 20 ms."))
    // One has waited long enough for all of them.
    #expect(try await rig.failure().message.hasSuffix(Self.paused))
  }

  @Test func `the pause grows when connecting fails again and again, until it succeeds`()
    async throws
  {
    let isFailing = Locked(true)
    let server = try await RedisStub.start { words in
      words.first == "PING" && isFailing.current ? .close : nil
    }
    let rig = Rig(server.configuration)
    for (count, pause) in [1, 2, 4, 8, 8].enumerated() {
      #expect(try await rig.failure().message.hasSuffix(" closed the connection."))
      rig.wait(.seconds(Int64(pause)) - .nanoseconds(1))
      #expect(try await rig.failure().message.hasSuffix(Self.paused))
      #expect(server.connectionCount.current == count + 1)
      rig.wait(.nanoseconds(1))
    }
    isFailing.withLock { $0 = false }
    #expect(try await rig.cache.responses(for: .first).isEmpty)
    isFailing.withLock { $0 = true }
    try await rig.lose(server)
    #expect(try await rig.failure().message.hasSuffix(" closed the connection."))
    rig.wait(.seconds(1))
    #expect(try await rig.failure().message.hasSuffix(" closed the connection."))
  }

  @Test func `reading a body continues after the server has failed`() async throws {
    let failures = Locked(0)
    let server = try await RedisStub.start { words in
      guard words.first == "HGET" else { return nil }
      return failures.withLock { count in
        count += 1
        return count < 4 ? .close : nil
      }
    }
    let rig = Rig(server.configuration)
    try await rig.cache.write(.stub(), .zeros(600_000), for: .first)
    let body = try #require(try await rig.cache.responses(for: .first).first?.body)
    #expect(try await body.collect() == .zeros(600_000))
    #expect(failures.current == 6)
    #expect(server.connectionCount.current == 4)
  }

  @Test func `reading a body fails when the server does not recover in time`() async throws {
    let server = try await RedisStub.start { words in
      words.first == "HGET" ? .close : nil
    }
    let rig = Rig(server.configuration)
    try await rig.cache.write(.stub(), .zeros(600_000), for: .first)
    let body = try #require(try await rig.cache.responses(for: .first).first?.body)
    let error = await #expect(throws: MartletError.self) { try await body.collect() }
    #expect(error?.code == .cacheFailed)
    // One attempt each second, for five seconds.
    #expect(server.connectionCount.current == 6)
  }

  @Test func `a body that is abandoned is not tried again`() async throws {
    let body = Locked<RedisBody?>(nil)
    let server = try await RedisStub.start { words in
      guard words.first == "HGET" else { return nil }
      body.current?.abandon()
      return .close
    }
    let rig = Rig(server.configuration)
    let chunks = RedisChunks(id: 1, length: 600_000)
    let reader = RedisBody(chunks, at: rig.cache.layout(.first), rig.cache.client)
    body.withLock { $0 = reader }
    await #expect(throws: MartletError.self) { try await reader.next() }
    #expect(server.connectionCount.current == 1)
    #expect(try await reader.next() == nil)
  }

  @Test func `a file of TLS that cannot be read is an error that names it`() async throws {
    var configuration = RedisConfiguration(host: "127.0.0.1", port: 1)
    configuration.tls = RedisConfiguration.TLS()
    configuration.tls?.trustRoots = URL(fileURLWithPath: "/nowhere/ca.pem")
    #expect(try await Rig(configuration).failure().message.contains("“/nowhere/ca.pem”"))
  }

  @Test func `a connection that was closed while it was idle is opened again`() async throws {
    let server = try await RedisStub.start()
    let rig = Rig(server.configuration)
    try await rig.cache.store(.stub("text"), for: .first)
    try await rig.lose(server)
    #expect(try await rig.cache.texts(for: .first) == ["text"])
    #expect(server.connectionCount.current == 2)
  }

  @Test func `after a failure, one command tries again and the others do not wait`() async throws {
    let isSlow = Locked(false)
    let server = try await RedisStub.start { words in
      isSlow.current && words.first == "PING" ? .silence : words.first == "EVAL" ? .close : nil
    }
    let rig = Rig(server.configuration)
    _ = try await rig.failure()
    isSlow.withLock { $0 = true }
    rig.wait(.seconds(1))
    let first = Task { try await rig.failure() }
    // A connection that is closed with unread bytes is reset, which is another error.
    try await server.received.wait { $0.filter { $0.first == "PING" }.count == 2 }
    #expect(try await rig.failure().message.hasSuffix(Self.paused))
    try await server.closeConnections()
    #expect(try await first.value.message.hasSuffix(" closed the connection."))
  }

  @Test func `requests succeed without the cache, and report its failure`() async throws {
    let server = try await RedisStub.start { ["EVAL", "SET"].contains($0.first) ? .close : nil }
    let cache = RedisResponseCache(server.configuration)
    var configuration = SessionConfiguration()
    configuration.cache = cache
    configuration.transport = InProcessTransport { request in
      Response(
        head: ResponseHead(status: .ok, headers: [.cacheControl: "max-age=60"]), url: request.url,
        body: ResponseBody(bytes: ByteBuffer(string: "from the server")))
    }
    let session = URLSessionManager(configuration: configuration)
    for _ in 0..<3 {
      var request = try Request(.get, "http://example.com/")
      let failures = Locked<[MartletError]>([])
      let call = Call()
      call.observe { event in
        if case .cacheFailed(let error) = event.kind { failures.withLock { $0.append(error) } }
      }
      request.call = call
      let response = try await session.send(request)
      #expect(String(buffer: try await response.body.collect()) == "from the server")
      // Reading and storing.
      #expect(failures.current.count == 2)
      #expect(failures.current.allSatisfy { $0.code == .cacheFailed })
    }
    #expect(session.cacheStatistics.failures == 6)
  }
}
