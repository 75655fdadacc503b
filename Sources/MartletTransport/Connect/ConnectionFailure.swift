import EssentialFoundation
import MartletCore
import NIOCore
import SystemPackage

/// Turns what the system says about a failed connection into the sentence for it.
enum ConnectionFailure {
  static func error(_ error: any Error, origin: Origin, addresses: [String]) -> MartletError {
    if error is CancellationError { return .cancelled }
    return .connectionFailed(
      origin, reason: reason(error), addresses: addresses, underlying: error)
  }

  /// What the system says, as a clause.
  static func reason(_ error: any Error) -> String {
    guard let number = (error as? IOError)?.errnoCode else { return "\(error)" }
    switch Errno(rawValue: number) {
    case .connectionRefused: return "nothing listens there"
    case .noRouteToHost, .networkUnreachable: return "no route leads there, or the host is down"
    case .timedOut: return "it did not answer"
    case .noSuchFileOrDirectory: return "there is no such socket"
    case .permissionDenied, .notPermitted: return "the system does not permit it"
    case .tooManyOpenFiles, .tooManyOpenFilesInSystem:
      return "too many files are open: allow more or lower the number of connections"
    case let failure: return "\(failure)"
    }
  }
}
