import EssentialFoundation
import HTTPTypes
import MartletCore
import MartletTesting
import NIOCore
import Testing

@testable import MartletTransport

extension HTTPTransport {
  /// Sends a request from code that runs on one of the engine's event loops.
  func send(_ request: Request, on loop: Int) async throws -> Response {
    try await withTaskExecutorPreference(directory.engineLoops[loop].executor) {
      await Task.yield()
      return try await send(request)
    }
  }

  /// Sends a request, and expects that it is answered with 200.
  func expectOK(_ request: Request, on loop: Int? = nil) async throws {
    let response =
      if let loop { try await send(request, on: loop) } else { try await send(request) }
    #expect(response.status == .ok)
  }

  /// The number of open connections of each part of an origin's pool.
  func connectionCounts(_ request: Request) async throws -> [Int] {
    let pools = try directory.pools(for: request.origin)
    var counts: [Int] = []
    for part in pools.parts.parts.indices {
      let pool = pools[part]
      counts.append(try await pool.loop.submit { pool.connections.count }.get())
    }
    return counts
  }

  /// Blocks an event loop until the returned function is called, but for a minute at most.
  func block(_ loop: Int) -> @Sendable () -> Void {
    let isBlocked = Locked(true)
    let deadline = ContinuousClock.now + .seconds(60)
    directory.engineLoops[loop].loop.execute {
      while isBlocked.current, ContinuousClock.now < deadline { usleep(200) }
    }
    return { isBlocked.withLock { $0 = false } }
  }
}

extension ServerRoute {
  /// The route `/hold`, which responds once `isOpen` is true.
  static func hold(until isOpen: AwaitableValue<Bool>) -> ServerRoute {
    .get("/hold") { _ in
      try await isOpen.wait { $0 }
      return .text("held")
    }
  }
}
