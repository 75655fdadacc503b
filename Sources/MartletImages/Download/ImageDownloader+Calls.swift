public import EssentialFoundation
public import MartletEssentials
public import MartletCore

/// The two ways to ask for an image, and the way to call it off.
extension ImageDownloader {
  /// Called with an image; without a response when it was in the cache.
  public typealias Success =
    @Sendable (_ request: Request, _ response: Response?, _ image: RasterImage) -> Void
  /// Called when there is no image.
  public typealias Failure =
    @Sendable (_ request: Request, _ response: Response?, _ error: MartletError) -> Void

  /// Begins to load an image, or to wait for one that is being loaded.
  ///
  /// One of the closures is called, once, on the session manager's `completionQueue` or, if that is `nil`, on the main
  /// queue; never before this returns there. The request that they get is the one that was sent: of those who share
  /// a download, the first one's.
  ///
  /// - Parameters:
  ///   - request: What to load. Its cache policy says whether the cache of images is asked.
  ///   - receiptID: Tells the caller from others. The default is a new one.
  ///   - success: Called with the image. The default does nothing: the image is loaded for the cache.
  ///   - failure: Called with the error, whose code is `.cancelled` after ``cancel(_:)``. The default does nothing.
  /// - Returns: The means to call it off; `nil` when there is nothing to call off, for the image was in the cache, or
  ///   the request cannot be sent.
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

  /// Loads an image, or waits for one that is being loaded.
  ///
  /// When the calling task is cancelled, it waits no longer; the download goes on while others wait for it.
  ///
  /// - Parameter request: What to load. Its cache policy says whether the cache of images is asked.
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
        // The other one came too early, if it came before there was anything to cancel.
        if Task.isCancelled { cancel(receiptID, of: url) }
      }
    } onCancel: {
      cancel(receiptID, of: url)
    }
  }

  /// Calls off a download for one caller, whose `failure` is told; it goes on while others wait for it.
  ///
  /// - Parameter receipt: What `download(_:receiptID:success:failure:)` returned. One whose download is over means
  ///   nothing any more.
  public func cancel(_ receipt: ImageDownloadReceipt) {
    cancel(receipt.receiptID, of: receipt.task.originalRequest.url.absoluteString)
  }
}

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
