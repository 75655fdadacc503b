extension ResponseSerializing {
  /// The value as it is.
  public func object(of output: Output) -> (any Sendable)? {
    output
  }
}
