/// Errors on top of errors.
extension MartletError {
  /// Whether this error, or one underneath it, is of that kind (RES-E2).
  ///
  /// - Parameter code: What is looked for.
  /// - Returns: Whether it is there.
  public func hasCode(_ code: Code) -> Bool {
    self.code == code || (underlying as? MartletError)?.hasCode(code) ?? false
  }

  /// The error with `previous` underneath (RES-E1), and underneath that what it had there itself, so that
  /// nothing is lost.
  package func combined(with previous: MartletError?) -> MartletError {
    guard var previous else { return self }
    if let own = underlying { previous = previous.onTop(of: own) }
    var combined = self
    combined.underlying = previous
    return combined
  }

  /// The error with `cause` at the very bottom of what is underneath.
  private func onTop(of cause: any Error) -> MartletError {
    var error = self
    switch underlying {
    case nil: error.underlying = cause
    case let next as MartletError: error.underlying = next.onTop(of: cause)
    default: break
    }
    return error
  }
}
