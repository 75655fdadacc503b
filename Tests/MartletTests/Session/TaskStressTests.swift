import EssentialFoundation
import Foundation
import Martlet
import MartletTesting
import NIOCore
import TestTiming
import Testing

/// Many tasks at once, held, let go and cancelled by many threads.
@Suite(.timeLimit(.minutes(5)))
struct TaskStressTests {
  @Test(.timeLimit(.minutes(3)))
  func `a thousand tasks end once each, whatever eight threads do to them`() async throws {
    let server = try await LoopbackServer.start()
    let session = URLSessionManager()
    session.completionQueue = .global()
    let ends = Locked<[Int: Int]>([:])
    let sizes = Locked(0)
    let tasks = (0..<1000).map { number in
      let size = 1 + number * 37 % 20_000
      return session.dataTask(with: Request(url: server.url("/bytes/\(size)"))) {
        response, _, error in
        ends.withLock { $0[number, default: 0] += 1 }
        guard error?.code != .cancelled else { return }
        sizes.withLock { $0 += response?.body.bytes?.readableBytes == size ? 1 : 0 }
      }
    }
    for task in tasks { task.resume() }
    await withCheckedContinuation { isOver in
      // Other tests need the thread of this one.
      DispatchQueue.global().async {
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
          var random = Shuffle(state: UInt64(thread) + 1)
          for _ in 0..<1000 {
            let task = tasks[Int(random.next() % 1000)]
            switch random.next() % 8 {
            case 0: task.cancel()
            case 1...3: task.suspend()
            default: task.resume()
            }
          }
        }
        isOver.resume()
      }
    }
    for task in tasks { task.resume() }
    try await eventually(within: .seconds(150)) {
      ends.current.count == 1000 && session.tasks.isEmpty
    }
    #expect(ends.current.values.allSatisfy { $0 == 1 })
    let cancelled = tasks.count { $0.error?.code == .cancelled }
    #expect(
      tasks.allSatisfy {
        $0.state == .completed && ($0.error == nil || $0.error?.code == .cancelled)
      })
    #expect(cancelled + sizes.current >= 1000)
    for task in tasks where task.error == nil {
      #expect(
        task.countOfBytesReceived
          == task.response.flatMap { $0.body.bytes.map { Int64($0.readableBytes) } })
    }
    session.invalidateSession(cancelingTasks: true)
    try await server.waitForOpenConnections(0)
  }
}

/// Numbers that come in the same order each time.
private struct Shuffle: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state >> 33
  }
}
