import EssentialFoundation
import MartletCore
import SystemPackage

/// Writes the log that the environment variable `MARTLET_LOG` asks for to standard error: `info`, `debug` or `trace`.
///
/// It is for programs that have no log of their own, and is read once, by the first session of a process.
struct EnvironmentLog: SessionObserver {
  private let level: CallLog.Level

  func observer(of task: SessionTask) -> (any CallObserver)? {
    CallLog(task, level: level) { Self.write("martlet: \($0.callID) \($0.text)") }
  }

  /// The log of this process, if it has one.
  static let observers: [any SessionObserver] = {
    let log = requested(by: ProcessInfo.processInfo.environment["MARTLET_LOG"], write)
    return log.map { [$0] } ?? []
  }()

  /// Returns the log for a value of the variable.
  ///
  /// - Parameters:
  ///   - value: The value of the variable. An empty value is as none.
  ///   - report: Called with a message about a value that is no level.
  /// - Returns: The log; `nil` if none is asked for.
  static func requested(by value: String?, _ report: (String) -> Void) -> EnvironmentLog? {
    guard let value, !value.isEmpty else { return nil }
    if let level = CallLog.Level(rawValue: value.lowercased()) {
      return EnvironmentLog(level: level)
    }
    report(
      "martlet: MARTLET_LOG has the unknown value “\(value.masked)”: use info, debug or trace.")
    return nil
  }

  private static func write(_ line: String) {
    // A log that cannot be written must not fail the request.
    _ = try? FileDescriptor.standardError.writeAll("\(line)\n".utf8)
  }
}
