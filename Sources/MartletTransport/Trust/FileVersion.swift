import MartletCore

/// In which state a file is: what tells, for the price of one system call, that it has changed.
struct FileVersion: Equatable, Sendable {
  private let identity: FileStatus.Identity
  private let size: Int64
  private let written: FileStatus.Moment

  /// `nil` when there is no such file.
  init?(path: String) {
    guard let status = FileStatus(path: path) else { return nil }
    (identity, size, written) = (status.identity, status.size, status.written)
  }
}
