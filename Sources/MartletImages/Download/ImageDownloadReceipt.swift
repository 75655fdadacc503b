public import Foundation
public import Martlet

/// What a caller of a downloader holds in hand: with it, a download can be called off.
public struct ImageDownloadReceipt: Sendable {
  /// The task that loads the image; callers who asked for the same URL share it.
  ///
  /// Cancelling it cancels it for all of them (IMD-22): better give the receipt to the downloader.
  public let task: SessionTask
  /// Tells the caller from others.
  public let receiptID: UUID
}

extension ImageDownloadReceipt: Hashable {
  /// Whether two receipts are for the same caller and the same task.
  public static func == (left: Self, right: Self) -> Bool {
    left.receiptID == right.receiptID && left.task === right.task
  }

  /// Takes what tells callers apart.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(receiptID)
  }
}
