import MartletCore
import MartletTesting
import Testing

/// One way in which a server misbehaves in one part of an exchange, and how the exchange must end.
struct ServerFault: CustomTestStringConvertible, Sendable {
  let part: FaultPart
  let name: String
  let steps: [Script.Step]
  let exchange: FaultExchange
  let ending: FaultEnding
  /// How many times the request is sent.
  let sendings: Int
  let routes: [FaultRoute]

  /// A fault.
  ///
  /// - Parameters:
  ///   - part: The part of the exchange.
  ///   - name: What the server does, as a clause.
  ///   - steps: The script of the first connection. All others answer with “ok”.
  ///   - exchange: What the client sends. The default is a GET.
  ///   - sendings: How many times the request is sent. The default is 1.
  ///   - routes: The ways to the server. The default is all of them.
  ///   - ending: How the exchange ends.
  init(
    _ part: FaultPart, _ name: String, _ steps: [Script.Step], exchange: FaultExchange = .get,
    sendings: Int = 1, routes: [FaultRoute] = FaultRoute.allCases, _ ending: FaultEnding
  ) {
    (self.part, self.name, self.steps, self.exchange) = (part, name, steps, exchange)
    (self.ending, self.sendings, self.routes) = (ending, sendings, routes)
  }

  var testDescription: String { "\(part.rawValue): \(name)" }

  /// Whether the server has read the whole request when it answers, or ends the exchange.
  var isReadWhole: Bool {
    var isPart = false
    for step in steps {
      switch step {
      case .readHead, .stopReading: isPart = true
      case .readRequest: return true
      case .reply, .sendBytes: return !isPart
      default: break
      }
    }
    return !isPart
  }

  /// The time-outs of the exchange: short for the part with the fault.
  var timeouts: Timeouts {
    var timeouts = Timeouts(.seconds(30))
    switch part {
    case .tls: timeouts.tls = FaultExchange.idle
    case .proxy: timeouts.connect = FaultExchange.idle
    default: timeouts.idle = FaultExchange.idle
    }
    return timeouts
  }
}
