import MartletTesting

/// A step of a random program against a server that misbehaves.
///
/// Numbers choose among what there is when the step runs, so that a program keeps its meaning when steps are left out.
enum RandomOperation: Hashable, Sendable {
  /// A request: how its body is sent, and what the caller does with the response.
  enum Kind: CaseIterable, Sendable {
    case get, post, upload, expecting, discard, discardedUpload, timed
    /// The body is a stream, of which the caller reads nothing, a part, or all.
    case drop, readPart, read
  }

  /// What a server sends. It need not fit the request.
  enum ServerOutput: CaseIterable, Sendable {
    case answer, answerAndClose, head, chunkedHead, body, chunk, lastChunk, continue100, refused417
    case switched, garbage, settings, rest, flood
  }

  case send(Kind, part: Int)
  case cancel(Int)
  case cancelTask(Int)
  case suspend(Int)
  case resume(Int)
  case connect(Int, succeeds: Bool)
  case serve(Int, ServerOutput)
  case setWritable(Int, Bool)
  case close(Int)
  case fail(Int)
  case runLoop(Int)
  case passTime(milliseconds: Int)
  case makeRoom
  case retire(Int)

  /// A program that is the same for the same seed.
  static func program(seed: UInt64, count: Int) -> [RandomOperation] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in Self.random(&random) }
  }

  private static func random(_ random: inout SeededGenerator) -> RandomOperation {
    let number = Int.random(in: 0..<1000, using: &random)
    switch Int.random(in: 0..<100, using: &random) {
    case ..<16: return .send(Kind.allCases[number % Kind.allCases.count], part: number / 10)
    case ..<18: return .cancel(number)
    case ..<20: return .cancelTask(number)
    case ..<24: return .suspend(number)
    case ..<29: return .resume(number)
    case ..<43: return .connect(number, succeeds: number % 8 > 0)
    case ..<57: return .serve(number, .answer)
    case ..<77: return .serve(number, ServerOutput.allCases[number % ServerOutput.allCases.count])
    case ..<80: return .close(number)
    case ..<82: return .fail(number)
    case ..<84: return .setWritable(number, number % 3 == 0)
    case ..<94: return .runLoop(number)
    case ..<97: return .passTime(milliseconds: number)
    case ..<98: return .makeRoom
    default: return .retire(number)
    }
  }
}
