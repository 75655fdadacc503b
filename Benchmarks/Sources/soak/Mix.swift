import Foundation
import HTTPTypes
import Martlet
import NIOCore

/// A request, and how it may end.
struct Step: Sendable {
  enum Outcome: Sendable {
    case done
    /// An error that the step is meant to have.
    case expected
    case unexpected(any Error)
  }

  let name: String
  /// Whether its latency counts.
  var isQuick = false
  /// Whether it is meant to fail: the server misbehaves, or the request is cancelled.
  var mayFail = false
  let run: @Sendable () async throws -> Void

  func outcome() async -> Outcome {
    do {
      try await run()
      return .done
    } catch {
      return mayFail ? .expected : .unexpected(error)
    }
  }
}

/// The kinds of requests, in turn.
struct Mix: Sendable {
  private struct Wrong: Error { let what: String }

  private let managers: [String: HTTPSessionManager]
  private let folder: URL

  init(_ servers: [String: String]) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("soak-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let authority = servers["authority"].map { URL(fileURLWithPath: $0) }
    var managers: [String: HTTPSessionManager] = [:]
    for (name, text) in servers where name != "authority" {
      guard let url = URL(string: text) else { throw Wrong(what: text) }
      managers[name] = Self.manager(url, authority, retries: name != "faulty")
    }
    self.managers = managers
  }

  private static func manager(_ url: URL, _ authority: URL?, retries: Bool) -> HTTPSessionManager {
    HTTPSessionManager(baseURL: url) {
      if retries { $0.resilience.retry.maximumAttempts = 8 }
      $0.timeouts.idle = .seconds(5)
      if let authority { $0.tls.roots = .file(authority) }
    }
  }

  var connectionCount: Int {
    get async {
      var count = 0
      for manager in managers.values {
        count +=
          await manager.session.snapshot()?.servers.reduce(0) { $0 + $1.connections.count } ?? 0
      }
      return count
    }
  }

  func close() {
    for manager in managers.values { manager.session.invalidateSession(cancelingTasks: true) }
    try? FileManager.default.removeItem(at: folder)
  }

  /// The step with a number.
  func step(_ number: Int) -> Step {
    switch number % 20 {
    case 0, 10: small("nginx")
    case 1, 11: small("tls")
    case 2, 12: small("apache")
    case 3, 13: small("haproxy")
    case 4, 14: json
    case 5: download(number)
    case 6: upload
    case 7: partly("nginx")
    case 8: partly("tls")
    case 9: cancelled("tls", after: number % 50)
    case 15: suspended
    case 16: manager
    case 17: misbehaving("/slow", mayFail: false)
    default: misbehaving(["/close", "/reset", "/garbage", "/half", "/stall"][number / 20 % 5])
    }
  }

  private func api(_ name: String) throws -> HTTPSessionManager {
    guard let manager = managers[name] else { throw Wrong(what: "no server \(name)") }
    return manager
  }

  private func expect(_ holds: Bool, _ what: String) throws {
    if !holds { throw Wrong(what: what) }
  }

  private func small(_ name: String) -> Step {
    Step(name: "GET \(name)", isQuick: true) {
      let response = try await api(name).get("hello")
      try expect(response.status == .ok, "status \(response.status)")
    }
  }

  private var json: Step {
    Step(name: "JSON") {
      let users: [[String: String]] = try await api("nginx").get("users.json")
      try expect(users.count == 100, "\(users.count) users")
    }
  }

  private func download(_ number: Int) -> Step {
    Step(name: "download") {
      let file = folder.appendingPathComponent("\(number)")
      var request = try api("tls").request(.get, "mib")
      request.delivery = .file(at: file)
      _ = try await api("tls").send(request)
      let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
      try FileManager.default.removeItem(at: file)
      try expect(size == 1 << 20, "\(size ?? 0) bytes")
    }
  }

  private var upload: Step {
    Step(name: "upload") {
      var request = try api("upload").request(.put, "upload")
      request.body = .producer(length: nil) { write in
        for _ in 0..<8 { try await write(ByteBuffer(repeating: 0, count: 32 << 10)) }
      }
      let response = try await api("upload").send(request)
      let text = String(buffer: try await response.body.collect())
      try expect(text == "262144", "\(text) bytes arrived")
    }
  }

  /// A body that is streamed, and left after its first bytes.
  private func partly(_ name: String) -> Step {
    Step(name: "stream \(name)") {
      var request = try api(name).request(.get, "mib")
      request.delivery = .stream
      for try await chunk in try await api(name).send(request).body {
        try expect(chunk.readableBytes > 0, "an empty chunk")
        break
      }
    }
  }

  private func cancelled(_ name: String, after milliseconds: Int) -> Step {
    Step(name: "cancel", mayFail: true) {
      let task = Task { _ = try await api(name).get("mib") }
      try await Task.sleep(for: .milliseconds(milliseconds))
      task.cancel()
      try await task.value
    }
  }

  private var suspended: Step {
    Step(name: "suspend") {
      var request = try api("nginx").request(.get, "mib")
      let call = Call()
      request.call = call
      call.suspend()
      let sending = request
      let task = Task { try await api("nginx").send(sending) }
      try await Task.sleep(for: .milliseconds(20))
      call.resume()
      try expect(try await task.value.status == .ok, "no answer")
    }
  }

  /// A manager for one request.
  private var manager: Step {
    Step(name: "manager") {
      let url = try api("nginx").baseURL
      let own = HTTPSessionManager(baseURL: url) { $0.resilience = .standard }
      defer { own.session.invalidateSession(cancelingTasks: true) }
      _ = try await own.get("hello")
    }
  }

  private func misbehaving(_ path: String, mayFail: Bool = true) -> Step {
    Step(name: "misbehaving \(path)", mayFail: mayFail) {
      _ = try await api("faulty").get(String(path.dropFirst())) {
        $0.options.timeouts = Timeouts(.seconds(1))
      }
    }
  }
}
