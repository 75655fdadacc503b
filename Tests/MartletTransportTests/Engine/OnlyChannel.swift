import Foundation
import MartletCore
import NIOCore
import Testing

@testable import MartletTransport

extension HTTPTransport {
  /// The channel of the one connection to the server of a URL.
  func onlyChannel(to url: URL) async throws -> any Channel {
    let pool = try directory.onlyPool(for: Request(url: url).origin)
    return try await pool.loop.submit {
      try #require(pool.connections.count == 1)
      let connection = pool.connections.values.first
      let context =
        (connection as? HTTP1Connection)?.context ?? (connection as? HTTP2Connection)?.context
      return try #require(context?.channel)
    }.get()
  }
}

extension PoolDirectory {
  /// The pool of an origin in an engine with one event loop.
  func onlyPool(for origin: Origin) throws -> ConnectionPool {
    try #require(engineLoops.count == 1)
    return try pools(for: origin)[0]
  }
}
