import EssentialFoundation
import MartletCore

/// Why a connection failed: a clause that continues the words “The Redis server at …”.
struct RedisFailure: Error {
  let reason: String
  var underlying: (any Error)?

  static let closed = RedisFailure(reason: "closed the connection")

  static let invalidPort = RedisFailure(
    reason: "cannot be connected to: the port must be a number from 1 to 65535")

  static func timedOut(after limit: Duration) -> RedisFailure {
    RedisFailure(reason: "did not answer within \(limit)")
  }

  static func nonsense(_ error: any Error) -> RedisFailure {
    RedisFailure(reason: "did not answer in RESP2: \(error)", underlying: error)
  }

  static func failed(_ error: any Error) -> RedisFailure {
    error as? RedisFailure
      ?? RedisFailure(reason: "could not be reached: \(error)", underlying: error)
  }

  static func unreadable(_ file: URL, _ error: any Error) -> RedisFailure {
    RedisFailure(
      reason: "cannot be connected to, because “\(file.path.masked)” cannot be read: \(error)",
      underlying: error)
  }

  static func notTrusted(_ error: MartletError) -> RedisFailure {
    RedisFailure(reason: "is not trusted: \(error.message)", underlying: error)
  }

  /// The server has answered with an error.
  static func refused(_ command: String, _ error: RedisServerError) -> RedisFailure {
    RedisFailure(reason: "refuses \(command): \(error.text)")
  }
}

/// An error that a server has answered with.
struct RedisServerError {
  /// What can be shown of it. Servers repeat arguments in quotes, which may be secret.
  let text: String

  init(_ reply: String, password: String?) {
    let start = reply.prefix { !"'`\"".contains($0) }
    let isSecret = password.map { !$0.isEmpty && start.contains($0) } ?? false
    text = isSecret ? "an error that contains the password" : String(start).sanitized
  }

  /// Whether the server is not ready: it is loading, or has become a replica.
  var isUnavailable: Bool {
    ["LOADING", "READONLY", "MASTERDOWN"].contains { text.hasPrefix($0) }
  }
}

extension MartletError {
  static func redis(_ configuration: RedisConfiguration, _ error: any Error) -> MartletError {
    if let error = error as? MartletError { return error }
    let failure = RedisFailure.failed(error)
    return MartletError(
      .cacheFailed, "The Redis server at \(configuration.authority) \(failure.reason).",
      underlying: failure.underlying)
  }

  static func redisPaused(_ configuration: RedisConfiguration, after error: MartletError)
    -> MartletError
  {
    MartletError(
      .cacheFailed,
      "The Redis server at \(configuration.authority) has just failed, and is not used for a moment.",
      underlying: error)
  }

  static func redisClosed(_ configuration: RedisConfiguration) -> MartletError {
    MartletError(
      .cacheFailed, "The cache in the Redis server at \(configuration.authority) is closed.")
  }
}
