import MartletCore

/// One download, and all who wait for it.
struct MergedImageTask<Work: Sendable>: Sendable {
  /// Tells it from earlier ones for the same URL.
  let number: Int
  /// The request that it was made for.
  let request: Request
  /// What does it.
  let work: Work
  /// Who waits, in the order in which they came.
  var handlers: [ImageResponseHandler]
}
