public import Foundation

/// Something that happened during an exchange, in order of happening.
///
/// A redirect makes a second round of the same events on the same handle.
public enum Event: Sendable {
  /// A session's task begins, or goes on.
  case taskResumed
  /// A session's task is held.
  case taskSuspended
  /// All connections to the origin are busy, and no more may be made.
  case queued
  /// The addresses of a host are being looked up.
  case resolving(host: String)
  /// The addresses of a host are known.
  case resolved(host: String, addresses: [String])
  /// A connection to an address is being tried.
  case connecting(address: String)
  /// An address has answered.
  case connected(address: String)
  /// The TLS handshake has begun.
  case securing(host: String)
  /// The TLS handshake is done and the server is trusted.
  case secured(host: String)
  /// A connection is at hand, and the request goes out as it stands here. The connection is `nil` when no
  /// network is involved.
  case sending(Request, over: ConnectionInfo?, isConnectionReused: Bool)
  /// Bytes of the body went out.
  case bodySent(bytes: Int, total: Int64?)
  /// The request has been sent whole.
  case sent
  /// An interim response, such as `100 Continue`, has arrived.
  case informational(ResponseHead)
  /// The head of the final response has arrived.
  case responded(ResponseHead)
  /// The body goes on where an earlier one ended: so many bytes are there already.
  case resumed(offset: Int64, total: Int64?)
  /// Bytes of the body arrived.
  case received(bytes: Int, total: Int64?)
  /// The response is a redirect, and it is followed.
  case redirecting(to: URL)
  /// The exchange is complete.
  case finished(Metrics)
  /// The exchange has failed.
  case failed(MartletError)
}
