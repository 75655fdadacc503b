public import Logging
public import MartletCore
public import MartletEssentials

/// Logs the calls of a session, with swift-log.
///
///     let api = HTTPSessionManager(baseURL: url) { $0.observers = [HTTPLogs(logger)] }
///
/// There is one line for each call at the level `info`, one more for each attempt at `debug`, and one for each event at
/// `trace`. Secrets are masked. The metadata have the names of OpenTelemetry's conventions for HTTP clients.
public struct HTTPLogs: SessionObserver {
  private let logger: Logger

  /// An observer that writes logs.
  ///
  /// - Parameter logger: Writes the lines. Its level says which.
  public init(_ logger: Logger) {
    self.logger = logger
  }

  /// Returns the writer of a call's lines; `nil` if the level of the logger is above `info`.
  public func observer(of task: SessionTask) -> (any CallObserver)? {
    guard let level = CallLog.Level(rawValue: logger.logLevel.rawValue) else { return nil }
    return CallLog(task, level: level) { [logger] line in
      logger.log(level: line.level.loggerLevel, "\(line.text)", metadata: line.metadata)
    }
  }
}

extension CallLog.Level {
  /// The level with the same name.
  fileprivate var loggerLevel: Logger.Level { Logger.Level(rawValue: rawValue) ?? .info }
}

extension CallLog.Line {
  fileprivate var metadata: Logger.Metadata {
    var metadata: Logger.Metadata = [
      "martlet.call.id": "\(callID)", "http.request.method": "\(method)", "url.full": "\(url)",
    ]
    if let status { metadata["http.response.status_code"] = "\(status)" }
    if let errorType { metadata["error.type"] = "\(errorType)" }
    if let duration { metadata["duration"] = "\(duration)" }
    return metadata
  }
}
