extension ImageDownloader {
  /// Which of the downloads that wait goes first.
  public enum Prioritization: Int, Hashable, Codable, Sendable {
    /// The one that has waited for longest.
    case fifo = 0
    /// The one that was asked for last: for lists that are scrolled, where it is what is to be seen.
    case lifo = 1
  }
}
