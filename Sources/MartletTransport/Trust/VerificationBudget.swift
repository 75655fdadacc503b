/// The cost of verifying the certificates of one server so far, and its limits.
///
/// A server needs a few signature checks. But certificates that sign each other in circles form countless paths
/// (RFC 4158 §2.4.1), and each name is compared with each constraint. The limits are those of Go and webpki. Issuers
/// are looked up once for each valid signature, so the limit on signature checks also limits the look-ups.
struct VerificationBudget: Sendable {
  private(set) var signatureChecks = 0
  private(set) var comparisons = 0
  private let maximumSignatureChecks: Int
  private let maximumComparisons: Int

  init(signatureChecks: Int = 100, comparisons: Int = 250_000) {
    (maximumSignatureChecks, maximumComparisons) = (signatureChecks, comparisons)
  }

  /// Called before each signature check.
  ///
  /// - Throws: When the budget is spent, or the task is cancelled.
  mutating func countSignatureCheck() throws(VerificationStop) {
    guard !Task.isCancelled else { throw .cancelled }
    guard signatureChecks < maximumSignatureChecks else {
      throw .tooCostly(limit: "\(maximumSignatureChecks) signature checks")
    }
    signatureChecks += 1
  }

  /// Called before names or policies are compared.
  ///
  /// - Throws: When the budget is spent, or the task is cancelled.
  mutating func count(comparisons more: Int) throws(VerificationStop) {
    guard !Task.isCancelled else { throw .cancelled }
    guard more <= maximumComparisons - comparisons else {
      throw .tooCostly(limit: "\(maximumComparisons) comparisons of names and policies")
    }
    comparisons += more
  }
}

/// The reason why a verification ended early.
enum VerificationStop: Error, Equatable {
  /// It cost more than the limit given.
  case tooCostly(limit: String)
  /// Its task was cancelled, for example because the handshake took too long.
  case cancelled
}
