import EssentialFoundation
import MartletEssentials
import MartletCore

/// The beginning and the end of a download.
///
/// Decisions are made under the lock and carried out after it is released, because they may call closures.
extension ImageDownloader {
  // MARK: Beginning

  /// How a call receives its image.
  private enum StartResult {
    case cached(RasterImage)
    case loading(SessionTask, isNew: Bool)
  }

  /// Starts or joins a download.
  ///
  /// The handler is called with the result, possibly before this function returns.
  ///
  /// - Returns: `nil` when the handler has been called already.
  func begin(_ request: Request, _ handler: ImageResponseHandler) -> ImageDownloadReceipt? {
    do {
      switch try joinOrCreateDownload(for: request, handler) {
      case .cached(let image):
        handler.finish(ImageOutcome(request: request, result: .success(image)))
        return nil
      case .loading(let task, let isNew):
        if isNew { task.resume() }
        return ImageDownloadReceipt(task: task, receiptID: handler.receiptID)
      }
    } catch {
      handler.finish(ImageOutcome(request: request, result: .failure(error)))
      return nil
    }
  }

  /// Joins a download, finds a cached image or else creates a download, in one step under the lock.
  private func joinOrCreateDownload(
    for request: Request, _ handler: ImageResponseHandler
  ) throws(MartletError) -> StartResult {
    _ = try request.origin
    let url = request.url.absoluteString
    let outcome: Result<StartResult, MartletError> = downloads.withLock { downloads in
      if let task = downloads.join(handler, url: url) {
        return .success(.loading(task, isNew: false))
      }
      if let image = cachedImage(for: request) { return .success(.cached(image)) }
      return Result { () throws(MartletError) in
        let (task, isStarted) = try downloads.add(request, handler) { number throws(MartletError) in
          try makeTask(request, number, url)
        }
        return .loading(task, isNew: isStarted)
      }
    }
    return try outcome.get()
  }

  private func makeTask(
    _ request: Request, _ number: Int, _ url: String
  ) throws(MartletError) -> SessionTask {
    try sessionManager.dataTask(with: request, completingOn: queue) {
      [weak self] response, object, error in
      self?.finish(number, url, response, Self.image(object, error, of: request))
    }
  }

  // MARK: Ending

  /// The result of a completion: an image or an error.
  private static func image(
    _ object: (any Sendable)?, _ error: MartletError?, of request: Request
  ) -> Result<RasterImage, MartletError> {
    if let error { return .failure(error) }
    guard let image = object as? RasterImage else { return .failure(.noImageMade(of: request.url)) }
    return .success(image)
  }

  private func finish(
    _ number: Int, _ url: String, _ response: Response?, _ result: Result<RasterImage, MartletError>
  ) {
    let (finished, next) = downloads.withLock { downloads in
      let end = downloads.finish(number, url: url)
      if let request = end.0?.request, case .success(let image) = result {
        keep(image, for: request)
      }
      return end
    }
    next?.resume()
    guard let finished else { return }
    let outcome = ImageOutcome(request: finished.request, response: response, result: result)
    for handler in finished.handlers { handler.finish(outcome) }
  }

  private func keep(_ image: RasterImage, for request: Request) {
    guard let imageCache,
      imageCache.shouldCache(image, for: request, additionalIdentifier: nil)
    else { return }
    imageCache.add(image, for: request)
  }

  /// Cancels a download for one caller; it continues while others wait for it (IMD-18).
  func cancel(_ receiptID: UUID, of url: String) {
    guard let end = downloads.withLock({ $0.cancel(receiptID, url: url) }) else { return }
    end.transfer?.cancel()
    end.handler.finish(
      ImageOutcome(request: end.request, result: .failure(.downloadCancelled(end.request.url))))
  }
}

/// Errors of downloads.
extension MartletError {
  static func downloadCancelled(_ url: URL) -> MartletError {
    MartletError(.cancelled, "ImageDownloader cancelled URL request: \(url.masked)")
  }

  static func noImageMade(of url: URL) -> MartletError {
    MartletError(
      .decodingFailed,
      "The response serializer made no image of \(url.masked): give the session manager an ImageResponseSerializer.",
      phase: .decode)
  }
}
