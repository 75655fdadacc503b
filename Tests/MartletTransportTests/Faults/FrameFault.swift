import MartletCore
import MartletTesting
import NIOCore
import Testing

/// One way in which a server of HTTP/2 misbehaves in one part of an exchange, and how the exchange must end.
struct FrameFault: CustomTestStringConvertible, Sendable {
  /// What the server does on the first connection when the request has come.
  typealias Act = @Sendable (FrameConnection) async throws -> Void

  let part: FaultPart
  let name: String
  let exchange: FaultExchange
  let ending: FaultEnding
  /// Whether the request is sent again.
  let isSentAgain: Bool
  let act: Act

  /// A fault.
  ///
  /// - Parameters:
  ///   - part: The part of the exchange.
  ///   - name: What the server does, as a clause.
  ///   - exchange: What the client sends. The default is a GET.
  ///   - ending: How the exchange ends.
  ///   - isSentAgain: Whether the request is sent again. The default is false.
  ///   - act: What the server does. After that, it answers what comes with “ok”.
  init(
    _ part: FaultPart, _ name: String, exchange: FaultExchange = .get,
    _ ending: FaultEnding, isSentAgain: Bool = false, act: @escaping Act
  ) {
    (self.part, self.name, self.exchange) = (part, name, exchange)
    (self.ending, self.isSentAgain, self.act) = (ending, isSentAgain, act)
  }

  var testDescription: String { "\(part.rawValue): \(name)" }
}
