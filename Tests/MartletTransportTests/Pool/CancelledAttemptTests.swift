import MartletCore
import NIOCore
import NIOEmbedded
import Testing

@testable import MartletTransport

/// Attempts to connect that are cancelled.
struct CancelledAttemptTests {
  @Test func `a connection that was made when its attempt was cancelled carries no request`() throws
  {
    let network = try EmbeddedNetwork(parts: 1, limit: 2, total: 2, isHTTP2: false)
    let pool = network.parts[0]
    let other = try RandomCaller(.get, of: network.pools, part: nil)
    let cancelled = try RandomCaller(.get, of: network.pools, part: nil)
    network.settle()
    #expect(network.attempts.count == 2)
    cancelled.call.cancel()
    network.settle()

    try network.endAttempt(1, succeeds: true)
    network.settle()
    #expect(!network.peers[0].channel.isActive)
    #expect(pool.connections.isEmpty)
    #expect(pool.waiting.count == 1)

    try network.endAttempt(0, succeeds: true)
    network.settle()
    let peer = network.peers[1]
    peer.send(peer.bytes(.answer, 0))
    network.sweep()
    network.settle()
    #expect(other.seen.finishes == 1)
    #expect(other.seen.retries == 0)
    #expect(cancelled.seen.failures == 1)
  }

  @Test func `an attempt for a request that was cancelled ends when no other waits`() throws {
    let network = try EmbeddedNetwork(parts: 1, limit: 2, total: 2, isHTTP2: false)
    let pool = network.parts[0]
    let cancelled = try RandomCaller(.get, of: network.pools, part: nil)
    let other = try RandomCaller(.get, of: network.pools, part: nil)
    network.settle()
    let first = network.attempts[0].id
    cancelled.call.cancel()
    network.settle()
    // The oldest attempt is for the other as well.
    #expect(!pool.state.isCancelled(first))

    try network.endAttempt(1, succeeds: true)
    network.settle()
    #expect(pool.waiting.isEmpty)
    #expect(pool.state.isCancelled(first))
    try network.endAttempt(0, succeeds: false)
    network.settle()
    #expect(pool.state.limitedCount == 1)
    #expect(other.seen.failures == 0)
  }
}
