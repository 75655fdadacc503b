/// Tells how the network stands: the system, or a test.
protocol NetworkSource: Sendable {
  /// The network as it is, soon, and then after each change; it ends when reading stops.
  ///
  /// - Returns: The snapshots, for one reader; `nil` when the system does not tell.
  func snapshots() -> AsyncStream<NetworkSnapshot>?
}
