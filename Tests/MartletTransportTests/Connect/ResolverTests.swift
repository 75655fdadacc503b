import EssentialFoundation
import Foundation
import MartletCore
import MartletTesting
import NIOCore
import class NIOPosix.MultiThreadedEventLoopGroup
import class NIOPosix.NIOThreadPool
import TestTiming
import Testing

@testable import MartletTransport

/// Look-ups on threads that may block.
@Suite(.timeLimit(.minutes(5)))
struct ResolverTests {
  private let asked = Locked<[String]>([])
  private let answer = DispatchSemaphore(value: 0)

  /// One thread, on which only `slow.example` takes until `answer` is given.
  private func resolver(on threads: NIOThreadPool) -> Resolver {
    Resolver(threads: { threads }) { [asked, answer] host, port in
      asked.withLock { $0.append(host) }
      if host == "slow.example" { answer.wait() }
      return [try SocketAddress(ipAddress: "127.0.0.1", port: port)]
    }
  }

  /// On one actor, so that a look-up is in line as soon as another task runs.
  @MainActor @Test func `a look-up that no request waits for is not made`() async throws {
    let threads = NIOThreadPool(numberOfThreads: 1)
    threads.start()
    let resolver = resolver(on: threads)
    let slow = Task { try await resolver.addresses(of: "slow.example", port: 1) }
    try await eventually { !asked.current.isEmpty }
    var isInLine = false
    let dead = Task {
      isInLine = true
      return try await resolver.addresses(of: "dead.example", port: 1)
    }
    try await eventually { isInLine }
    dead.cancel()
    _ = await dead.result
    answer.signal()
    _ = try await slow.value
    _ = try await resolver.addresses(of: "next.example", port: 1)
    #expect(asked.current == ["slow.example", "next.example"])
    try await threads.shutdownGracefully()
  }

  @Test func `an address is dialled without threads for look-ups`() async throws {
    let isAskedForThreads = Locked(false)
    let server = try await LoopbackServer.start()
    let resolver = Resolver(threads: {
      isAskedForThreads.withLock { $0 = true }
      return NIOThreadPool.singleton
    })
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let origin = Origin(isSecure: false, endpoint: .host("127.0.0.1", port: server.port))
    let dialer = Dialer(
      origin: origin, executor: EngineExecutor(loop: loop, outsideWork: OutsideWork()),
      resolver: resolver)
    let line = try await dialer.dial(within: nil, report: { _ in }) {
      .timedOut($0, after: $1, origin: origin)
    }
    #expect(line.resolve == nil)
    #expect(!isAskedForThreads.current)
    try await line.channel.close()
    await server.stop()
  }

  @Test func `threads for look-ups are not started on an event loop`() async throws {
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let wasOnLoop = Locked<[Bool]>([])
    let resolver = Resolver(threads: {
      wasOnLoop.withLock { $0.append(loop.inEventLoop) }
      return NIOThreadPool.singleton
    })
    let addresses = try await withTimeLimit(
      .seconds(60), on: EngineExecutor(loop: loop, outsideWork: OutsideWork())
    ) { _ in
      .cancelled
    } body: {
      #expect(loop.inEventLoop)
      return try await resolver.addresses(of: "localhost", port: 80)
    }
    #expect(!addresses.isEmpty)
    #expect(wasOnLoop.current == [false])
  }
}
