import Foundation
import HTTPTypes
import Martlet
import NIOCore

/// The kinds of requests, in turn.
struct Mix: Sendable {
  private static let faults: [(path: String, code: MartletError.Code)] = [
    ("close", .connectionLost), ("reset", .connectionLost), ("garbage", .malformedResponse),
    ("half", .bodyTruncated), ("stall", .timedOut),
  ]

  private let managers: Managers
  private let folder: URL

  init(_ servers: [String: String], _ tally: Tally) throws {
    managers = try Managers(servers, tally)
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("soak-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  func close() {
    managers.close()
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
    case 9: number / 20 % 2 == 0 ? cancelledTask("tls") : cancelledCall("tls")
    case 15: suspended
    case 16: manager
    case 17: misbehaving("slow", .success)
    default: fault(Self.faults[number / 20 % Self.faults.count])
    }
  }

  private func expect(_ holds: Bool, _ what: String) throws {
    if !holds { throw Step.Wrong(what: what) }
  }

  private func small(_ name: String) -> Step {
    Step(name: "GET \(name)", isQuick: true) {
      let response = try await managers[name].get("hello")
      try expect(response.status == .ok, "status \(response.status)")
    }
  }

  private var json: Step {
    Step(name: "JSON") {
      let users: [[String: String]] = try await managers["nginx"].get("users.json")
      try expect(users.count == 100, "\(users.count) users")
    }
  }

  private func download(_ number: Int) -> Step {
    Step(name: "download") {
      let file = folder.appendingPathComponent("\(number)")
      var request = try managers["tls"].request(.get, "mib")
      request.delivery = .file(at: file)
      _ = try await managers["tls"].send(request)
      let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
      try FileManager.default.removeItem(at: file)
      try expect(size == 1 << 20, "\(size ?? 0) bytes")
    }
  }

  private var upload: Step {
    Step(name: "upload") {
      var request = try managers["upload"].request(.put, "upload")
      request.body = .producer(length: nil) { write in
        for _ in 0..<8 { try await write(ByteBuffer(repeating: 0, count: 32 << 10)) }
      }
      let response = try await managers["upload"].send(request)
      let text = String(buffer: try await response.body.collect())
      try expect(text == "262144", "\(text) bytes arrived")
    }
  }

  /// A body that is streamed, and left after its first bytes.
  private func partly(_ name: String) -> Step {
    Step(name: "stream \(name)") {
      var request = try managers[name].request(.get, "mib")
      request.delivery = .stream
      for try await chunk in try await managers[name].send(request).body {
        try expect(chunk.readableBytes > 0, "an empty chunk")
        break
      }
    }
  }

  /// A stream whose reader is cancelled after the first bytes.
  private func cancelledTask(_ name: String) -> Step {
    Step(name: "cancel task", goal: .cancellation) {
      var request = try managers[name].request(.get, "mib")
      request.delivery = .stream
      for try await _ in try await managers[name].send(request).body {
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
  }

  /// A call that is cancelled when the first bytes of its body arrive.
  private func cancelledCall(_ name: String) -> Step {
    Step(name: "cancel call", goal: .cancellation) {
      var request = try managers[name].request(.get, "mib")
      let call = Call()
      request.call = call
      call.observe { [weak call] event in
        if case .bodyReceived = event.kind { call?.cancel() }
      }
      _ = try await managers[name].send(request)
    }
  }

  private var suspended: Step {
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
  private var manager: Step {
    Step(name: "manager") {
      let own = try managers.new("nginx")
      defer { own.session.invalidateSession(cancelingTasks: true) }
      _ = try await own.get("hello")
    }
  }

  private func fault(_ fault: (path: String, code: MartletError.Code)) -> Step {
    misbehaving(fault.path, .failure([fault.code]))
  }

  private func misbehaving(_ path: String, _ goal: Step.Goal) -> Step {
    Step(name: "misbehaving /\(path)", goal: goal) {
      _ = try await managers["faulty"].get(path) { $0.options.timeouts = Timeouts(.seconds(1)) }
    }
  }
}
