import Foundation
import Martlet

/// A request, and how it should end.
struct Step: Sendable {
  enum Goal: Sendable {
    case success
    /// An error with one of these codes.
    case failure(Set<MartletError.Code>)
    /// The error of a cancelled call, unless the response is whole before.
    case cancellation
  }

  enum Outcome: Sendable {
    case done
    case expectedError
    case cancelled
    /// The response was whole before the call was cancelled.
    case cancelledLate
    case unexpected(any Error)
  }

  /// What is wrong with a response.
  struct Wrong: Error { let what: String }

  let name: String
  var goal = Goal.success
  /// Whether its latency counts.
  var isQuick = false
  let run: @Sendable () async throws -> Void

  func outcome() async -> Outcome {
    do {
      try await run()
    } catch {
      return outcome(of: error)
    }
    return switch goal {
    case .success: .done
    case .failure: .unexpected(Wrong(what: "a response instead of an error"))
    case .cancellation: .cancelledLate
    }
  }

  private func outcome(of error: any Error) -> Outcome {
    guard let code = (error as? MartletError)?.code else { return .unexpected(error) }
    return switch goal {
    case .failure(let codes) where codes.contains(code): .expectedError
    case .cancellation where code == .cancelled: .cancelled
    default: .unexpected(error)
    }
  }
}
