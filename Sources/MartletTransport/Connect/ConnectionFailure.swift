import Foundation
import MartletCore
import NIOCore

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
    switch number {
    case ECONNREFUSED: return "nothing listens there"
    case EHOSTUNREACH, ENETUNREACH: return "no route leads there, or the host is down"
    case ETIMEDOUT: return "it did not answer"
    case ENOENT: return "there is no such socket"
    case EACCES, EPERM: return "the system does not permit it"
    case EMFILE, ENFILE:
      return "too many files are open: allow more or lower the number of connections"
    default: return String(cString: strerror(number))
    }
  }
}
