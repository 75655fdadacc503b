import EssentialFoundation
import MartletTesting
import Testing

@testable import Martlet
@testable import MartletEssentials

/// The log that the environment variable `MARTLET_LOG` asks for.
struct EnvironmentLogTests {
  private func report(on value: String?) -> (log: EnvironmentLog?, report: String?) {
    var report: String?
    let log = EnvironmentLog.requested(by: value) { report = $0 }
    return (log, report)
  }

  @Test(arguments: ["info", "debug", "trace", "INFO"])
  func `a level asks for a log`(value: String) {
    #expect(report(on: value).log != nil)
    #expect(report(on: value).report == nil)
  }

  @Test(arguments: [nil, ""])
  func `no value asks for none`(value: String?) {
    #expect(report(on: value).log == nil)
    #expect(report(on: value).report == nil)
  }

  @Test func `another value is reported, and asks for none`() {
    let (log, report) = report(on: "loud")
    #expect(log == nil)
    #expect(
      report == "martlet: MARTLET_LOG has the unknown value “loud”: use info, debug or trace.")
  }

  @Test func `the lines of a call have its method, URL and result, and no secret`() async throws {
    let lines = Locked<[String]>([])
    let transport = InProcessTransport { .text("body", to: $0) }
    var configuration = SessionConfiguration()
    configuration.transport = transport
    configuration.observers = [LineObserver { line in lines.withLock { $0.append(line) } }]
    let session = URLSessionManager(configuration: configuration)
    _ = try await session.send(Request("http://user:wren@h/a?token=tern"))
    #expect(lines.current.count == 1)
    #expect(lines.current[0].hasPrefix("GET http://***@h/a?token=***: 200 after "))
  }

  private struct LineObserver: SessionObserver {
    let write: @Sendable (String) -> Void

    func observer(of task: SessionTask) -> (any CallObserver)? {
      CallLog(task, level: .info) { write($0.text) }
    }
  }
}
