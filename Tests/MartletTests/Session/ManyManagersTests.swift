#if os(Linux)
import ExitTesting
import Foundation
import Martlet
import MartletTesting
import TestTiming
import Testing

/// Programs that make session managers again and again, and drop them.
@Suite(.blocksAThread, .timeLimit(.minutes(20)))
struct ManyManagersTests {
  @Test(arguments: [false, true])
  func `a thousand managers leave no descriptor, thread, memory or manager`(_ areShutDown: Bool)
    async throws
  {
    await #expect(processExitsWith: .success) { [areShutDown] in
      let server = try await LoopbackServer.start()
      try await server.useManagers(100, areShutDown)
      let before = Usage.current
      try await server.useManagers(1000, areShutDown)
      // The connections of the last ones may still be closing. Dispatch has more threads while others wait for a processor.
      try await eventually {
        let now = Usage.current
        return now.descriptors < before.descriptors + 10 && now.threads < before.threads + 10
      }
      let after = Usage.current
      // A manager needs 17 KiB.
      #expect(after.kibibytes - before.kibibytes < 4000, "\(before) became \(after)")
      await server.stop()
    }
  }
}

extension LoopbackServer {
  /// Makes managers, one after the other, which send a request each and are dropped.
  fileprivate func useManagers(_ count: Int, _ areShutDown: Bool) async throws {
    for _ in 0..<count {
      weak var dropped: HTTPSessionManager?
      do {
        let manager = HTTPSessionManager(baseURL: url("/"))
        dropped = manager
        #expect(try await manager.response(.get, "get").status == .ok)
        if areShutDown { await manager.session.shutDown() }
      }
      try await eventually { dropped == nil }
    }
  }
}

/// What the process has of the system.
private struct Usage {
  let descriptors: Int
  let threads: Int
  let kibibytes: Int

  static var current: Usage {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let resident = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return Usage(
      descriptors: entries(of: "/proc/self/fd"), threads: entries(of: "/proc/self/task"),
      kibibytes: resident?.split(separator: " ").compactMap { Int($0) }.first ?? 0)
  }

  private static func entries(of folder: String) -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
  }
}
#endif
