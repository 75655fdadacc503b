import EssentialFoundation
import MartletCore
import X509

/// The chains that were found to be right, so that a server that shows the same again need not be looked at anew:
/// reading and verifying certificates is a fifth of what a handshake costs.
///
/// Whether a chain is right depends on what was asked, on the anchors and on the hour, and on nothing else.
struct ChainMemory: Sendable {
  /// What is asked of a chain.
  struct Question: Hashable, Sendable {
    /// What the server sent, as DER.
    var certificates: [[UInt8]]
    var host: String?
    var purpose: ChainRules.Purpose
    var pins: Set<PublicKeyPin>?
  }

  private struct Answer: Sendable {
    var anchors: TrustAnchors
    /// While all of the chain is valid.
    var hours: ClosedRange<Date>
    var chain: [[UInt8]]
  }

  private static let mostAnswers = 64
  private let answers = Locked<[Question: Answer]>([:])

  /// The chain, as DER, if it was found to be right before and still is.
  func chain(for question: Question, anchors: TrustAnchors, at now: Date = Date()) -> [[UInt8]]? {
    let answer = answers.withLock { $0[question] }
    guard let answer, answer.anchors === anchors, answer.hours.contains(now) else { return nil }
    return answer.chain
  }

  /// Keeps a chain that was found to be right, from the server's own certificate to an anchor.
  func keep(_ chain: [ParsedCertificate], for question: Question, anchors: TrustAnchors) {
    guard let start = chain.map(\.certificate.notValidBefore).max(),
      let end = chain.map(\.certificate.notValidAfter).min(), start <= end
    else { return }
    let answer = Answer(anchors: anchors, hours: start...end, chain: chain.map(\.der))
    answers.withLock { answers in
      if answers.count >= Self.mostAnswers { answers = [:] }
      answers[question] = answer
    }
  }
}
