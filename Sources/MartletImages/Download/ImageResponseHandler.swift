import Foundation
import MartletCore

/// One caller of a download.
struct ImageResponseHandler: Sendable {
  /// Tells the caller from others.
  let receiptID: UUID
  /// Called once, when it is known how the download ended.
  let finish: @Sendable (ImageOutcome) -> Void
}

/// How a download ended.
struct ImageOutcome: Sendable {
  /// The request that was sent: of those who share a download, the first one's (IMD-12).
  var request: Request
  /// The response, if one came; none from the cache of images.
  var response: Response?
  var result: Result<Image, MartletError>
}
