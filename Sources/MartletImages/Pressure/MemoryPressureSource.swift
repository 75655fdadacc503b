/// Tells that memory runs short: the system, or a test.
protocol MemoryPressureSource: Sendable {
  /// Whether it does.
  var isObservable: Bool { get }

  /// Watches until what is returned is dropped.
  ///
  /// - Parameter report: Called each time that memory runs short, on any thread.
  /// - Returns: `nil` when it does not tell.
  func watch(_ report: @escaping @Sendable () -> Void) -> (any MemoryWatch)?
}

/// Ends when it is dropped.
protocol MemoryWatch: AnyObject, Sendable {}
