import Foundation
import Martlet
import MartletTesting

/// The server that echoes requests: a real httpbin when `HTTPBIN_BASE_URL` names one, else the loopback
/// server, which has the same routes.
struct Httpbin {
  let base: URL
  /// The loopback server, when it is that; a real httpbin cannot be asked how many connections it has.
  let loopback: LoopbackServer?

  init() async throws {
    if let given = ProcessInfo.processInfo.environment["HTTPBIN_BASE_URL"].flatMap(URL.init) {
      (base, loopback) = (given, nil)
    } else {
      let server = try await LoopbackServer.start()
      (base, loopback) = (server.url("/"), server)
    }
  }

  func url(_ path: String) -> URL {
    base.appendingPathComponent(path)
  }
}
