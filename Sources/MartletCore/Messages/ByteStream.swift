public import NIOCore

/// A bidirectional byte stream over a connection that has switched from HTTP to another protocol.
///
/// A server switches with `101 Switching Protocols` if the request has the fields `Upgrade` and `Connection: Upgrade`
/// (RFC 9110 §7.8), or with a successful response to `CONNECT` (RFC 9110 §9.3.6):
///
///     request.headers[.upgrade] = "echo"
///     request.headers[.connection] = "Upgrade"
///     let stream = try await session.send(request).upgradedConnection
///     try await stream?.write(ByteBuffer(string: "hello"))
///     while let bytes = try await stream?.read() { print(String(buffer: bytes)) }
///
/// The caller that takes it from the response must close it. It is also closed when the last reference is released. The
/// transport does not manage it any more: it is in no pool and has no time-outs, and it stays open when the transport
/// is shut down or the call is cancelled. It cannot be closed in one direction alone.
public protocol ByteStream: AnyObject, Sendable {
  /// Returns the next bytes as soon as there are any; `nil` after the peer has closed the connection.
  ///
  /// Only one reader may read at a time. Without reads, receiving stops after 512 KiB. Cancelling the waiting task
  /// closes the connection.
  ///
  /// - Throws: `MartletError` with code `.connectionLost` when the connection was lost, `.cancelled` when the task was
  ///   cancelled or `close()` was called, `.bodyNotReadable` for a second reader at the same time.
  func read() async throws -> ByteBuffer?

  /// Sends bytes, and returns when the system has accepted them.
  ///
  /// Cancelling the waiting task closes the connection.
  ///
  /// - Throws: `MartletError` with code `.connectionLost` when the connection has ended, `.cancelled` when the task was
  ///   cancelled or `close()` was called.
  func write(_ bytes: ByteBuffer) async throws

  /// Closes the connection in both directions.
  func close()
}
