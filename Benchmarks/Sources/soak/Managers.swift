import Foundation
import Martlet
import MartletDiskCache

/// A session manager for each server, by the name of the server.
struct Managers: Sendable {
  private let managers: [String: HTTPSessionManager]
  private let tally: Tally

  /// Makes the managers.
  ///
  /// - Parameters:
  ///   - servers: The URLs of the servers by name, with those of the `proxy` and the file of the `authority`.
  ///   - cache: The folder for the cache of `cached`.
  ///   - tally: Counts connections and retries.
  /// - Throws: What is wrong with a URL.
  init(_ servers: [String: String], cache: URL, _ tally: Tally) throws {
    self.tally = tally
    let authority = servers["authority"].map { URL(fileURLWithPath: $0) }
    let proxy = try servers["proxy"].map { try Proxy($0) }
    let ada = Credential.password(user: "ada", password: "tern")
    var managers: [String: HTTPSessionManager] = [:]
    for (name, text) in servers where !["authority", "proxy"].contains(name) {
      guard let url = URL(string: text) else { throw Step.Wrong(what: text) }
      managers[name] = try Self.manager(of: name, url, tally) {
        if name != "faulty" { $0.resilience.retry.maximumAttempts = 8 }
        $0.timeouts.idle = .seconds(5)
        if let authority { $0.tls.roots = .file(authority) }
        if name == "cached" { $0.cache = DiskResponseCache(directory: cache) }
        if name == "apache" { try $0.authentication.credentials.set(ada, for: url) }
        if let proxy, ["proxied", "tunnelled"].contains(name) { $0.proxies = .through(proxy) }
        // Apache answers CONNECT with 503 while nginx restarts.
        if name == "tunnelled" { $0.resilience.retry.errors.insert(.proxyRefused) }
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
    try Self.manager(of: name, self[name].baseURL, tally) { $0.resilience = .standard }
  }

  /// A manager whose connections and retries are counted.
  private static func manager(
    of name: String, _ url: URL?, _ tally: Tally,
    configure: (inout HTTPSessionManager.Configuration) throws -> Void
  ) throws -> HTTPSessionManager {
    let manager = try HTTPSessionManager(baseURL: url) { configuration in
      try configure(&configuration)
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
