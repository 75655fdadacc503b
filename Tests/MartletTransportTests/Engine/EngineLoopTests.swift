import NIOCore
import NIOPosix
import Testing

@testable import MartletTransport

/// Which event loops an engine works on.
struct EngineLoopTests {
  private let all = Array(MultiThreadedEventLoopGroup.singleton.makeIterator())

  @Test func `the engines of a process are spread over its loops`() {
    var used: Set<ObjectIdentifier> = []
    // Engines of other tests may come in between, but not in step for ever.
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
}
