extension ResponseSerializing {
  /// The value as it is.
  public func object(of output: Output) -> (any Sendable)? {
    output
  }
}

extension JSONResponseSerializer {
  /// The JSON, or no object for a body without any (RES-J2).
  public func object(of output: JSON?) -> (any Sendable)? {
    output
  }
}
