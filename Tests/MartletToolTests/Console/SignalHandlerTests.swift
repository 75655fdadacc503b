#if os(Linux)
import EssentialFoundation
import ExitTesting
import Foundation
import TestTiming
import Testing

@testable import MartletTool

/// How the handlers of signals are set.
@Suite(.timeLimit(.minutes(20)))
struct SignalHandlerTests {
  @Test(.blocksAThread, arguments: 1...5)
  func `a signal has its default action until its handler is set`(attempt: Int) async {
    await #expect(processExitsWith: .success) {
      signal(SIGTERM, SIG_DFL)
      let (looks, wasIgnored) = (Locked(0), Locked(false))
      let watcher = Thread {
        while !Thread.current.isCancelled {
          let isIgnored = Signals.has(SIGTERM, SIG_IGN)
          wasIgnored.withLock { $0 = $0 || isIgnored }
          looks.withLock { $0 += 1 }
        }
      }
      watcher.start()
      try await eventually { looks.current > 0 }
      try await Signals.onInterrupt {
      } during: {
        let count = looks.current
        try await eventually { looks.current > count }
        #expect(!Signals.has(SIGTERM, SIG_DFL))
      }
      watcher.cancel()
      #expect(!wasIgnored.current)
    }
  }
}
#endif
