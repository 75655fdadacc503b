import EssentialFoundation
import MartletEssentials
import MartletCore

/// How a download begins and ends: what is decided is carried out behind the lock, for others may be told by it.
extension ImageDownloader {
  // MARK: Beginning

  /// What becomes of a call.
  private enum Beginning {
    case cached(RasterImage)
    case loading(SessionTask, isNew: Bool)
  }

  /// Begins or joins a download, for a caller who is told of its end, and maybe before this returns.
  ///
  /// - Returns: `nil` when the end is there already.
  func begin(_ request: Request, _ handler: ImageResponseHandler) -> ImageDownloadReceipt? {
    do {
      switch try beginning(of: request, handler) {
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

  /// One step, under a lock: a caller that finds neither a download nor an image makes the download.
  private func beginning(
    of request: Request, _ handler: ImageResponseHandler
  ) throws(MartletError) -> Beginning {
    _ = try request.origin
    let url = request.url.absoluteString
    let outcome: Result<Beginning, MartletError> = downloads.withLock { downloads in
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

  /// What a completion says: an image, or why there is none.
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

  /// Ends the waiting of one caller; the download goes on while others wait for it (IMD-18).
  func cancel(_ receiptID: UUID, of url: String) {
    guard let end = downloads.withLock({ $0.cancel(receiptID, url: url) }) else { return }
    end.work?.cancel()
    end.handler.finish(
      ImageOutcome(request: end.request, result: .failure(.downloadCancelled(end.request.url))))
  }
}

/// Downloads that bring no image.
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
