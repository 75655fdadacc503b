import Foundation
import Martlet

/// A session manager for each server, by the name of the server.
struct Managers: Sendable {
  private let managers: [String: HTTPSessionManager]
  private let tally: Tally

  init(_ servers: [String: String], _ tally: Tally) throws {
    self.tally = tally
    let authority = servers["authority"].map { URL(fileURLWithPath: $0) }
    var managers: [String: HTTPSessionManager] = [:]
    for (name, text) in servers where name != "authority" {
      guard let url = URL(string: text) else { throw Step.Wrong(what: text) }
      managers[name] = Self.manager(of: name, url, tally) {
        if name != "faulty" { $0.resilience.retry.maximumAttempts = 8 }
        $0.timeouts.idle = .seconds(5)
        if let authority { $0.tls.roots = .file(authority) }
      }
    }
    self.managers = managers
  }

  subscript(_ name: String) -> HTTPSessionManager {
    get throws {
      guard let manager = managers[name] else { throw Step.Wrong(what: "no server \(name)") }
      return manager
    }
  }

  /// Another manager for a server, with the default settings for failures.
  func new(_ name: String) throws -> HTTPSessionManager {
    Self.manager(of: name, try self[name].baseURL, tally) { $0.resilience = .standard }
  }

  /// A manager whose connections and retries are counted.
  private static func manager(
    of name: String, _ url: URL?, _ tally: Tally,
    configure: (inout HTTPSessionManager.Configuration) -> Void
  ) -> HTTPSessionManager {
    let manager = HTTPSessionManager(baseURL: url) { configuration in
      configure(&configuration)
      configuration.connectionObserver = { _ in tally.count }
    }
    manager.session.observe { event in
      guard case .retryDecided(let decision) = event.event.kind else { return }
      if case .retry = decision.outcome { tally.countRetry(of: name, after: decision.reason) }
    }
    return manager
  }

  func close() {
    for manager in managers.values { manager.session.invalidateSession(cancelingTasks: true) }
  }
}
