import HTTPTypes
import MartletCore
import NIOCore
import Testing

@testable import MartletTransport

/// A connection that runs out of stream numbers (RFC 9113 §5.1.1).
@Suite(.timeLimit(.minutes(5)))
struct NumberTests {
  @Test func `the last numbers are used, and then the next connection`() async throws {
    let peer = try await FramePeer.start()
    let engine = peer.engine { $0.http2.firstStream = StreamNumbers.last - 2 }
    let tasks = (0..<3).map { engine.begin(peer.get("/\($0)")) }
    let connection = try await peer.accept()
    let last = UInt32(StreamNumbers.last)
    _ = try await connection.next(.headers, on: last - 2)
    _ = try await connection.next(.headers, on: last)
    let other = try await peer.accept()
    _ = try await other.next(.headers, on: last - 2)
    connection.answer(last)
    connection.answer(last - 2)
    #expect(try await connection.next(.goAway).code == .noError)
    try await connection.closed()
    other.answer(last - 2)
    for task in tasks { #expect(try await task.value.status == .ok) }
    #expect(peer.connectionCount == 2)
    await peer.stop()
  }

  @Test func `a retired connection makes way for another even when one is all`() async throws {
    let peer = try await FramePeer.start()
    let engine = peer.engine {
      $0.http2.firstStream = StreamNumbers.last
      $0.connections.maximumPerOrigin = 1
    }
    let last = UInt32(StreamNumbers.last)
    let tasks = (0..<3).map { _ in engine.begin(peer.get()) }
    for _ in tasks {
      let connection = try await peer.accept()
      _ = try await connection.next(.headers, on: last)
      connection.answer(last)
      try await connection.closed()
    }
    for task in tasks { #expect(try await task.value.status == .ok) }
    await peer.stop()
  }
}
