import ArgumentParser
import MartletTransport

/// Which version of HTTP is spoken, when that is not left to the server.
enum VersionOption: EnumerableFlag {
  case http1
  case http2

  static func help(for value: VersionOption) -> ArgumentHelp? {
    switch value {
    case .http1: "Speak HTTP/1.1 only."
    case .http2: "Speak HTTP/2 only; over http without asking whether the server knows it."
    }
  }

  /// What the engine is told.
  var versions: EngineConfiguration.Versions {
    switch self {
    case .http1: .http1
    case .http2: .http2
    }
  }
}
