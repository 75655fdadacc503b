import EssentialFoundation
import HTTPTypes
import MartletCore
import MartletTesting
import NIOCore
import NIOPosix
import NIOSSL
import Testing

@testable import MartletTransport

/// Where a server's certificates are evaluated, and until when.
@Suite(.timeLimit(.minutes(5)))
struct TrustEvaluationTests {
  private let server: LoopbackServer
  private let ponderer = Ponderer()

  init() async throws {
    server = try await LoopbackServer.start(tls: ServerTLS(try TemporaryAuthority().leaf()))
  }

  private func engine(limit: Duration?) -> HTTPTransport {
    var configuration = HTTPTransportConfiguration()
    configuration.tls.evaluator = ponderer
    configuration.timeouts.tls = limit
    return HTTPTransport(configuration)
  }

  @Test(.timeLimit(.minutes(2)))
  func `the time-out of a handshake ends the evaluation`() async throws {
    let engine = engine(limit: .milliseconds(300))
    let request = Request(.get, url: server.url("/get", host: "localhost"))
    // A busy machine may need that long to reach the certificates.
    while ponderer.questions.current == 0 {
      await #expect {
        try await engine.send(request)
      } throws: { ($0 as? MartletError)?.code == .timedOut }
    }
    #expect(await ponderer.isCancelled.stream.first { _ in true } == true)
    engine.shutDown()
    await server.stop()
  }

  @Test(.timeLimit(.minutes(2)))
  func `nothing is read during the evaluation, however much the server sends`() async throws {
    let flood = try await FloodingServer.start(ServerTLS(try TemporaryAuthority().leaf()))
    let engine = engine(limit: nil)
    let url = try URL(escaping: "https://localhost:\(flood.port)/")
    let isOver = Locked(false)
    let task = Task {
      defer { isOver.withLock { $0 = true } }
      return try await engine.send(Request(url: url))
    }
    _ = await ponderer.isOnEventLoop.stream.first { _ in true }
    #expect(try await flood.untilBlocked() < 64 << 20)
    #expect(ponderer.questions.current == 1)
    #expect(!isOver.current)
    task.cancel()
    await #expect(throws: MartletError.self) { try await task.value }
    engine.shutDown()
    try await flood.stop()
    await server.stop()
  }

  /// The server's certificates may come in the moment in which the time is up.
  @Test(.timeLimit(.minutes(2)))
  func `an evaluation that is cancelled before it begins ends at once`() async throws {
    let tasks = HandshakeTasks(countedIn: OutsideWork())
    let evaluation = TrustEvaluation(ponderer, in: tasks)
    tasks.cancel()
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let promise = loop.makePromise(of: NIOSSLVerificationResult.self)
    evaluation.run(on: [], host: "localhost", promise)
    #expect(try await promise.futureResult.get() == .failed)
    await server.stop()
  }

  @Test(.timeLimit(.minutes(2)))
  func `a request that is cancelled ends the evaluation, which is on no event loop`() async throws {
    let engine = engine(limit: nil)
    let request = Request(.get, url: server.url("/get", host: "localhost"))
    let task = Task { try await engine.send(request) }
    #expect(await ponderer.isOnEventLoop.stream.first { _ in true } == false)
    task.cancel()
    #expect(await ponderer.isCancelled.stream.first { _ in true } == true)
    await #expect(throws: MartletError.self) { try await task.value }
    engine.shutDown()
    await server.stop()
  }
}
