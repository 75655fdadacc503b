import HTTPTypes
import MartletCore
import MartletTesting
import NIOCore
import NIOPosix
import Testing

@testable import MartletTransport

/// Which event loops an engine works on.
struct EngineLoopTests {
  private let all = Array(MultiThreadedEventLoopGroup.singleton.makeIterator())

  @Test func `the engines of a process are spread over its loops`() {
    var used: Set<ObjectIdentifier> = []
    // Engines of other tests may come in between, but not in step all the time.
    for _ in 0..<all.count * 100 where used.count < all.count {
      used.formUnion(HTTPTransport.eventLoops(of: nil, count: 1).map { ObjectIdentifier($0) })
    }
    #expect(used.count == all.count)
  }

  @Test(arguments: [(-1, 1), (0, 1), (1, 1), (Int.max, Int.max)])
  func `an engine has one loop at least, and each once at most`(asked: Int, given: Int) {
    let loops = HTTPTransport.eventLoops(of: nil, count: asked)
    #expect(loops.count == min(given, all.count))
    #expect(Set(loops.map { ObjectIdentifier($0) }).count == loops.count)
  }

  @Test func `an engine has a loop for each core, unless the process has fewer`() {
    #expect(HTTPTransportConfiguration().eventLoopCount == System.coreCount)
    #expect(HTTPTransport().directory.engineLoops.count == min(System.coreCount, all.count))
  }

  @Test func `an engine works on the loops that it is given`() async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let server = try await LoopbackServer.start()
    var configuration = HTTPTransportConfiguration()
    configuration.eventLoopGroup = group
    configuration.eventLoopCount = 4
    let engine = HTTPTransport(configuration)
    let loops = HTTPTransport.eventLoops(of: group, count: 4)
    #expect(loops.map { ObjectIdentifier($0) } == [ObjectIdentifier(group.next())])
    let origin = try Request(url: server.url("/")).origin
    #expect(try engine.directory.onlyPool(for: origin).loop === group.next())
    let response = try await engine.send(Request(url: server.url("/get")))
    #expect(response.status == .ok)
    await engine.close()
    let error = await #expect(throws: MartletError.self) {
      try await engine.send(Request(url: server.url("/get")))
    }
    #expect(error?.code == .shutDown)
    try await server.waitForOpenConnections(0)
    try await group.shutdownGracefully()
    // There is nothing left to wait for.
    await engine.close()
    await server.stop()
  }
}
