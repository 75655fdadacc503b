import MartletCore
import NIOCore

/// What is said to a proxy, and what it says, until there is a way through to a server: the decisions,
/// without any I/O.
protocol TunnelNegotiation: Sendable {
  /// Takes in what the proxy has said.
  mutating func receive(_ bytes: ByteBuffer)
  /// What to do now.
  ///
  /// - Throws: `MartletError` when there is no way through.
  mutating func next() throws(MartletError) -> TunnelStep
  /// The sentence for a proxy that has closed the connection.
  func closed(underlying: (any Error)?) -> MartletError
}

/// What to do on the way through a proxy.
enum TunnelStep: Equatable {
  case send(ByteBuffer)
  /// The proxy has to say more.
  case wait
  /// What comes from now on is the server's, these bytes included.
  case open(ByteBuffer)
  /// The proxy is to be asked again, over another connection.
  case startOver
}
