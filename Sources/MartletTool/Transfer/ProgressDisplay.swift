import Martlet

/// Shows how far a transfer has come.
protocol ProgressDisplay: Sendable {
  /// Shows how far it has come, if it is time to.
  func update(_ progress: TransferProgress)
  /// There is no more to come.
  func finish()
}
