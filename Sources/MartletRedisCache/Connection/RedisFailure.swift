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
    RedisFailure(reason: "did not answer within \(limit.text)")
  }

  static func notConnected(after limit: Duration) -> RedisFailure {
    RedisFailure(reason: "is not connected after \(limit.text)")
  }

  static func notRESP(_ error: any Error) -> RedisFailure {
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
