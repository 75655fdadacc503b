package import MartletCore

/// The versions of TLS that may be agreed on.
package struct TLSVersionBounds: Sendable {
  /// The oldest; `nil` leaves it to the configuration.
  package var minimum: TLSOptions.Version?
  /// The newest; `nil` leaves it to the configuration.
  package var maximum: TLSOptions.Version?

  /// Bounds.
  package init(minimum: TLSOptions.Version?, maximum: TLSOptions.Version?) {
    self.minimum = minimum
    self.maximum = maximum
  }

  /// These where they say something, and `others` where they do not.
  func orElse(_ others: TLSVersionBounds) -> TLSVersionBounds {
    TLSVersionBounds(
      minimum: minimum ?? others.minimum, maximum: maximum ?? others.maximum)
  }
}

/// An evaluator that also says over which versions of TLS a host may be talked to.
package protocol TLSVersionChoosing: TrustEvaluating {
  /// What goes before the options of the engine.
  func versions(for host: String) -> TLSVersionBounds
}
