extension MartletError {
  /// The most attempts that a message names.
  private static let namedAttempts = 5

  /// Returns the error with the attempts before it, which its message names. The request is safe to retry only if none of
  /// them has been processed.
  package func following(_ attempts: [FailedAttempt]) -> MartletError {
    guard !attempts.isEmpty else { return self }
    var error = self
    error.failedAttempts = attempts
    error.isSafeToRetry = isSafeToRetry && attempts.allSatisfy(\.isUnprocessed)
    let named = attempts.suffix(Self.namedAttempts).map(\.description).joined(separator: ", ")
    let sentence = message.hasSuffix(".") ? message : message + "."
    let omission = attempts.count > Self.namedAttempts ? "…, " : ""
    error.message = "\(sentence) Earlier attempts: \(omission)\(named)."
    return error
  }
}
