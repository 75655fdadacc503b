public import NIOCore

/// Bytes in both directions, over a connection that has left HTTP: another protocol is spoken there.
///
/// A server agrees to that with `101 Switching Protocols`, if the request has an `Upgrade` field and `Connection` says so
/// (RFC 9110 §7.8), or with any success to `CONNECT` (RFC 9110 §9.3.6):
///
///     request.headers[.upgrade] = "echo"
///     request.headers[.connection] = "Upgrade"
///     let stream = try await session.send(request).upgradedConnection
///     try await stream?.write(ByteBuffer(string: "hello"))
///     while let bytes = try await stream?.read() { print(String(buffer: bytes)) }
///
/// The caller that takes it from the response closes it; one that is dropped closes itself. The transport has released it: it is
/// in no pool, no time-out holds for it, and it stays when the transport shuts down or
/// the call is cancelled. It cannot be closed in one direction alone.
public protocol ByteStream: AnyObject, Sendable {
  /// The next bytes, as soon as there are any; `nil` once the peer has closed the connection.
  ///
  /// One reader asks at a time. Without reads, receiving stops after 512 KiB. Cancelling the task that waits closes the
  /// connection.
  ///
  /// - Throws: `MartletError` with code `.connectionLost` when the connection has broken, `.cancelled` when the task was
  ///   cancelled or `close()` was called, `.bodyNotReadable` for a second reader at the same time.
  func read() async throws -> ByteBuffer?

  /// Sends bytes, and returns when the system has taken them.
  ///
  /// Cancelling the task that waits closes the connection.
  ///
  /// - Throws: `MartletError` with code `.connectionLost` when the connection has ended, `.cancelled` when the task was
  ///   cancelled or `close()` was called.
  func write(_ bytes: ByteBuffer) async throws

  /// Closes the connection, in both directions.
  func close()
}
