#if os(Linux)
import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import MartletTransport
import NIOCore
import Testing

/// How many packets carry what leaves together.
@Suite(.timeLimit(.minutes(5)))
struct SegmentTests {
  @Test(arguments: Wire.allCases)
  func `a head and a small body leave in one packet`(_ wire: Wire) async throws {
    let (server, engine) = try await wire.start()
    let url = server.url("/post")
    _ = try await engine.send(Request(url: server.url("/get")))
    let channel = try await engine.onlyChannel(to: url)
    for count in [1, 1_000, 10_000] {
      let before = try await channel.segmentsSent
      let body = RequestBody.bytes(ByteBuffer(repeating: 0x78, count: count))
      #expect(try await engine.send(Request(.post, url: url, body: body)).status == .ok)
      #expect(try await channel.segmentsSent - before == 1)
    }
    await server.stop()
  }

  @Test(arguments: [Wire.h2c, .h2])
  func `requests that begin in one turn leave in one packet`(_ wire: Wire) async throws {
    let (server, engine) = try await wire.start()
    let request = Request(url: server.url("/get"))
    _ = try await engine.send(request)
    let channel = try await engine.onlyChannel(to: request.url)
    let before = try await channel.segmentsSent
    try await engine.runOnEventLoop {
      try await withThrowingTaskGroup { group in
        for _ in 0..<20 { group.addTask { try await engine.send(request) } }
        for try await response in group { #expect(response.status == .ok) }
      }
    }
    #expect(try await channel.segmentsSent - before == 1)
    await server.stop()
  }
}

extension Channel {
  /// How many packets with data have left, as the system counts them, without those that a busy system sent again.
  fileprivate var segmentsSent: UInt32 {
    get async throws {
      let socket = try #require(self as? any SocketOptionProvider)
      let counts: TCPCounts = try await socket.unsafeGetSocketOption(
        level: .tcp, name: .init(rawValue: TCP_INFO)
      ).get()
      return counts.segmentsSent - counts.segmentsRepeated
    }
  }
}

/// The beginning of the kernel's `tcp_info`, of which the C library knows less.
private struct TCPCounts {
  typealias Words = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

  var before: (Words, UInt64, UInt64, UInt64, UInt64, UInt32)
  var segmentsRepeated: UInt32
  var between: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)
  var segmentsReceived: UInt32
  var segmentsSent: UInt32
}
#endif
