import Foundation
import HTTPTypes
import Martlet
import NIOCore

/// Small requests, and the ways in which they are sent.
extension Mix {
  func small(_ name: String) -> Step {
    Step(name: "GET \(name)", isQuick: true) {
      let response = try await managers[name].get("hello")
      try expect(response.status == .ok, "status \(response.status)")
    }
  }

  /// A small request through the proxy.
  func proxied(_ name: String) -> Step {
    Step(name: "GET \(name)", isQuick: true) {
      let response = try await managers[name].get("hello")
      try expect(response.metrics.connection?.proxy != nil, "no proxy")
    }
  }

  var json: Step {
    Step(name: "JSON") {
      let users: [[String: String]] = try await managers["nginx"].get("users.json")
      try expect(users.count == 100, "\(users.count) users")
    }
  }

  var redirect: Step {
    Step(name: "redirect") {
      let response = try await managers["apache"].get("moved")
      try expect(response.url.path == "/hello", "\(response.url)")
    }
  }

  /// A request that is answered with a challenge of Digest, unless the session has a nonce that is still valid.
  var authenticated: Step {
    Step(name: "authenticated") {
      let response = try await managers["apache"].get("private/hello")
      try expect(response.status == .ok, "status \(response.status)")
    }
  }

  /// The same without a user name.
  var unauthenticated: Step {
    Step(name: "unauthenticated", goal: .failure([.unacceptableStatusCode])) {
      let own = try managers.new("apache")
      defer { own.session.invalidateSession(cancelingTasks: true) }
      _ = try await own.get("private/hello")
    }
  }

  /// A response that a cache on disk may use for a second, and validates afterwards.
  var cached: Step {
    Step(name: "cached") {
      let response = try await managers["cached"].get("cached.json")
      let size = try await response.body.collect().readableBytes
      try expect(size == 17, "\(size) bytes")
      if response.cacheStatus?.isHit == true { tally.note(.cacheHit) }
    }
  }

  var batch: Step {
    Step(name: "batch") {
      let api = try managers["tls"]
      let requests = try (0..<4).map { _ in try api.request(.get, "hello") }
      var count = 0
      for await outcome in api.send(requests, maximumConcurrent: 4) {
        try expect(try outcome.response.status == .ok, "a status of a batch")
        count += 1
      }
      try expect(count == 4, "\(count) responses of a batch")
    }
  }

  var suspended: Step {
    Step(name: "suspend") {
      var request = try managers["nginx"].request(.get, "mib")
      let call = Call()
      request.call = call
      call.suspend()
      let sending = request
      let task = Task { try await managers["nginx"].send(sending) }
      try await Task.sleep(for: .milliseconds(20))
      call.resume()
      try expect(try await task.value.status == .ok, "no answer")
    }
  }

  /// A manager for one request.
  var manager: Step {
    Step(name: "manager") {
      let own = try managers.new("nginx")
      defer { own.session.invalidateSession(cancelingTasks: true) }
      _ = try await own.get("hello")
    }
  }
}
