/// What verifying the certificates of one server has cost so far, and what it may cost.
///
/// A server needs a few signature checks. Certificates that sign each other in circles make the ways through
/// them countless (RFC 4158 §2.4.1), and names and constraints in great numbers multiply. The limits are those of
/// Go and webpki. Issuers are looked up once for each signature that is right, so that these checks bound
/// the look-ups, too.
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

/// Why a verification ended early.
enum VerificationStop: Error, Equatable {
  /// It cost more than the limit given.
  case tooCostly(limit: String)
  /// Its task was cancelled, such as when the time for the handshake is over.
  case cancelled
}
