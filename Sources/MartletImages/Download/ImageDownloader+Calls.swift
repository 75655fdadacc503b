public import EssentialFoundation
public import MartletEssentials
public import MartletCore

/// Loading an image, with closures or with `await`, and cancelling.
extension ImageDownloader {
  /// Called with an image. The response is `nil` when the image was in the cache.
  public typealias Success =
    @Sendable (_ request: Request, _ response: Response?, _ image: RasterImage) -> Void
  /// Called with the error when there is no image.
  public typealias Failure =
    @Sendable (_ request: Request, _ response: Response?, _ error: MartletError) -> Void

  /// Starts to load an image, or joins the download of the same URL.
  ///
  /// One of the closures is called, once, on the session manager's `completionQueue` or, if that is `nil`, on the main
  /// queue. If this function is called on that queue, it returns before the closure is called. The closures receive the
  /// request that was sent: callers that share a download receive the first caller's request.
  ///
  /// - Parameters:
  ///   - request: The request to send. Its cache policy decides whether the image cache is used.
  ///   - receiptID: Identifies the caller. The default is a new UUID.
  ///   - success: Called with the image. The default does nothing: the image is loaded into the cache.
  ///   - failure: Called with the error, whose code is `.cancelled` after ``cancel(_:)``. The default does nothing.
  /// - Returns: A receipt that can cancel the download; `nil` when the image was in the cache or the request cannot be
  ///   sent.
  @discardableResult
  public func download(
    _ request: Request, receiptID: UUID = UUID(), success: Success? = nil, failure: Failure? = nil
  ) -> ImageDownloadReceipt? {
    let sessionManager = sessionManager
    let handler = ImageResponseHandler(receiptID: receiptID) { outcome in
      (sessionManager.completionQueue ?? .main).async {
        switch outcome.result {
        case .success(let image): success?(outcome.request, outcome.response, image)
        case .failure(let error): failure?(outcome.request, outcome.response, error)
        }
      }
    }
    return begin(request, handler)
  }

  /// Loads an image, or joins the download of the same URL.
  ///
  /// When the calling task is cancelled, the function throws. The download continues while other callers wait for it.
  ///
  /// - Parameter request: The request to send. Its cache policy decides whether the image cache is used.
  /// - Returns: The image.
  /// - Throws: `MartletError`; with code `.cancelled` when the calling task is cancelled.
  public func image(for request: Request) async throws -> RasterImage {
    let (receiptID, url) = (UUID(), request.url.absoluteString)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let handler = ImageResponseHandler(receiptID: receiptID) {
          continuation.resume(with: $0.result)
        }
        _ = begin(request, handler)
        // `onCancel` has no effect if it runs before the download begins.
        if Task.isCancelled { cancel(receiptID, of: url) }
      }
    } onCancel: {
      cancel(receiptID, of: url)
    }
  }

  /// Cancels a download for one caller, whose `failure` is called.
  ///
  /// The download continues while other callers wait for it.
  ///
  /// - Parameter receipt: The value that `download(_:receiptID:success:failure:)` returned. It has no effect after the
  ///   download has ended.
  public func cancel(_ receipt: ImageDownloadReceipt) {
    cancel(receipt.receiptID, of: receipt.task.originalRequest.url.absoluteString)
  }
}

/// Identifies one caller of a download, and lets this caller cancel it.
public struct ImageDownloadReceipt: Sendable {
  /// The task that loads the image; callers that requested the same URL share it.
  ///
  /// Cancelling the task cancels the download for all of them (IMD-22). ``ImageDownloader/cancel(_:)`` cancels it for
  /// one caller only.
  public let task: SessionTask
  /// Identifies the caller.
  public let receiptID: UUID
}

extension ImageDownloadReceipt: Hashable {
  /// Whether two receipts are for the same caller and the same task.
  public static func == (left: Self, right: Self) -> Bool {
    left.receiptID == right.receiptID && left.task === right.task
  }

  /// Hashes the receipt identifier.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(receiptID)
  }
}
