import Foundation
import Martlet

/// The kinds of requests, in turn.
struct Mix: Sendable {
  /// After so many steps, the kinds begin again.
  private static let period = 28
  private static let faults: [(path: String, code: MartletError.Code)] = [
    ("close", .connectionLost), ("reset", .connectionLost), ("garbage", .malformedResponse),
    ("half", .bodyTruncated), ("stall", .timedOut),
  ]

  let managers: Managers
  let tally: Tally
  let folder: URL

  init(_ servers: [String: String], _ tally: Tally) throws {
    self.tally = tally
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("soak-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    managers = try Managers(servers, cache: folder.appendingPathComponent("cache"), tally)
  }

  func close() {
    managers.close()
    try? FileManager.default.removeItem(at: folder)
  }

  /// The step with a number.
  func step(_ number: Int) -> Step {
    let turn = number / Self.period
    return switch number % Self.period {
    case 0, 14: small("nginx")
    case 1, 15: small("tls")
    case 2, 16: small("apache")
    case 3, 17: small("haproxy")
    case 4, 18: json
    case 5: download(number)
    case 6: upload
    case 7: partly("nginx")
    case 8: partly("tls")
    case 9: turn % 2 == 0 ? cancelledTask("tls") : cancelledCall("tls")
    case 10: redirect
    case 11: authenticated
    case 12, 19: cached
    case 13: batch
    case 20: form
    case 21: resumed(number)
    case 22: proxied("proxied")
    case 23: proxied("tunnelled")
    case 24: suspended
    case 25: turn % 2 == 0 ? manager : unauthenticated
    case 26: misbehaving("slow", .success)
    default: fault(Self.faults[turn % Self.faults.count])
    }
  }

  func expect(_ holds: Bool, _ what: String) throws {
    if !holds { throw Step.Wrong(what: what) }
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
