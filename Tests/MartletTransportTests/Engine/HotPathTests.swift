import EssentialFoundation
import Foundation
import MartletCore
import MartletTesting
import NIOCore
import Testing

@testable import MartletTransport

/// What a small exchange is allowed to cost.
@Suite(.timeLimit(.minutes(5)))
struct HotPathTests {
  @Test(arguments: [Wire.http1, .h2])
  func `a buffered exchange resumes the task that waits for it once`(wire: Wire) async throws {
    let (server, engine) = try await wire.start()
    let url = server.url("/bytes/100")
    _ = try await engine.send(Request(url: url))
    let executor = CountingExecutor()
    let count = 50
    try await Task(executorPreference: executor) {
      for _ in 0..<count {
        _ = try await engine.send(Request(url: url))
      }
    }.value
    // One job for each response, and one to begin with.
    #expect(executor.jobs.current <= count + 1)
    await server.stop()
  }

  @Test(arguments: [Wire.http1, .h2])
  func `on the engine's own thread nothing changes threads`(wire: Wire) async throws {
    let (server, engine) = try await wire.start()
    let url = server.url("/bytes/100")
    let threads = try await engine.runOnEventLoop {
      var threads: Set<UInt> = [Self.thread]
      for _ in 0..<50 {
        _ = try await engine.send(Request(url: url))
        threads.insert(Self.thread)
      }
      return threads
    }
    #expect(threads.count == 1)
    await server.stop()
  }

  @Test(arguments: [Wire.http1, .h2])
  func `on the engine's own thread a request leaves before anything else has a turn`(wire: Wire)
    async throws
  {
    let (server, engine) = try await wire.start()
    var request = Request(url: server.url("/bytes/100"))
    _ = try await engine.send(request)
    let order = Locked<[String]>([])
    request.call = Call()
    request.call?.observe { event in
      if case .sending = event.kind { order.withLock { $0.append("request") } }
    }
    try await engine.runOnEventLoop { [request] in
      let loop = try engine.directory.onlyPool(for: request.origin).loop
      loop.execute { order.withLock { $0.append("turn") } }
      _ = try await engine.send(request)
    }
    #expect(order.current == ["request", "turn"])
    await server.stop()
  }

  private static var thread: UInt { UInt(pthread_self()) }

  @Test func `a connection that says something unasked over TLS is not used again`() async throws {
    let authority = try TemporaryAuthority()
    let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
    let server = try await ScriptedServer.start(
      Script([.readRequest, .send(answer + "HTTP/1.1 400 Bad Request\r\n\r\n"), .stall]),
      Script([.readRequest, .send(answer), .stall]), tls: ServerTLS(try authority.leaf()))
    var configuration = HTTPTransportConfiguration.oneLoop
    configuration.tls.roots = .certificates([authority.root])
    let engine = HTTPTransport(configuration)
    for _ in 0..<2 {
      let response = try await engine.send(Request(url: server.url()))
      #expect(response.body.bytes == ByteBuffer(string: "ok"))
    }
    #expect(server.connectionCount == 2)
    await server.stop()
  }
}

/// Runs jobs one at a time, and counts them.
private final class CountingExecutor: TaskExecutor {
  let jobs = Locked(0)
  private let queue = DispatchQueue(label: "counting")

  func enqueue(_ job: consuming ExecutorJob) {
    jobs.withLock { $0 += 1 }
    let job = UnownedJob(job)
    queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
