import EssentialFoundation
public import MartletEssentials
import MartletCore

/// Loads images: one download for simultaneous requests of a URL, a limited number at once, with a memory cache.
///
///     let downloader = ImageDownloader()
///     let image = try await downloader.image(for: Request("https://example.com/tern.png"))
///
///     let receipt = downloader.download(request) { request, response, image in
///       // No response: the image was in the cache.
///     } failure: { request, response, error in
///       print(error)
///     }
///     if let receipt { downloader.cancel(receipt) }
///
/// A download is identified by its URL alone. A request for a URL that is being loaded or waits shares the result of
/// the first request, even if its header fields and options differ. Use separate downloaders for users with different
/// credentials.
///
/// Safe to use from any thread. A downloader that is released cancels its downloads and calls no closures (IMD-23).
public final class ImageDownloader: Sendable {
  /// The session manager that sends the requests and turns responses into images. Closures are called on its
  /// `completionQueue`.
  public let sessionManager: HTTPSessionManager
  /// The cache that is searched before a request is sent, and that receives loaded images; `nil` for none.
  public let imageCache: (any ImageRequestCache)?
  let downloads: Locked<DownloaderState<SessionTask>>
  /// The queue on which tasks complete. Closures are called on another queue, so that slow closures do not delay the
  /// next download.
  let queue = DispatchQueue(label: "martlet.images.downloader")

  /// A downloader.
  ///
  /// - Parameters:
  ///   - sessionManager: Sends the requests; its response serializer has to return images.
  ///   - downloadPrioritization: Which of the waiting downloads starts first. The default is `.fifo`.
  ///   - maximumActiveDownloads: The maximum number of downloads at once, at least 1. The default is 4.
  ///   - imageCache: The cache for loaded images; `nil` for none. The default is a new cache of 100 MiB.
  public init(
    sessionManager: HTTPSessionManager, downloadPrioritization: Prioritization = .fifo,
    maximumActiveDownloads: Int = 4,
    imageCache: (any ImageRequestCache)? = AutoPurgingImageCache()
  ) {
    self.sessionManager = sessionManager
    self.imageCache = imageCache
    downloads = Locked(
      DownloaderState(maximum: maximumActiveDownloads, prioritization: downloadPrioritization))
  }

  deinit {
    for task in downloads.current.transfers { task.cancel() }
  }

  /// Which of the waiting downloads starts first. A change applies to downloads that are queued after it.
  public var downloadPrioritization: Prioritization {
    get { downloads.withLock { $0.prioritization } }
    set { downloads.withLock { $0.prioritization = newValue } }
  }

  /// The cached image for a request, if the request's cache policy permits its use (IMD-5).
  func cachedImage(for request: Request) -> RasterImage? {
    guard request.options.cachePolicy?.usesCachedResponses ?? true else { return nil }
    return imageCache?.image(for: request)
  }
}

extension ImageDownloader {
  /// Which of the waiting downloads starts first.
  public enum Prioritization: Int, Hashable, Codable, Sendable {
    /// The download that has waited longest.
    case fifo = 0
    /// The download that was requested last: for scrolling lists, in which the last image requested is visible.
    case lifo = 1
  }
}

extension ImageDownloader {
  /// A downloader for the whole process, with the default configuration, serializer and cache.
  public static let `default` = ImageDownloader()

  /// A new cache for the responses of image requests: 20 MiB, in memory. There is no disk cache (IMD-1 differs: it has
  /// one of 150 MiB).
  ///
  /// - Returns: The cache.
  public static func makeDefaultURLCache() -> MemoryResponseCache {
    MemoryResponseCache(capacity: 20 << 20)
  }

  /// A configuration of a session for images, with the cache of ``makeDefaultURLCache()``.
  ///
  /// All other settings are the defaults of every session: cookies are kept, caches follow the protocol, and at most
  /// 60 s may pass between two bytes.
  ///
  /// - Returns: The configuration.
  public static func makeDefaultConfiguration() -> SessionConfiguration {
    var configuration = SessionConfiguration()
    configuration.cache = makeDefaultURLCache()
    return configuration
  }

  /// A downloader with its own session and image cache, for four downloads at once in the order of the requests.
  ///
  /// - Parameters:
  ///   - configuration: The configuration of the session. The default is ``makeDefaultConfiguration()``.
  ///   - responseSerializer: Turns responses into images. The default is one with the default decoder.
  public convenience init(
    configuration: SessionConfiguration = makeDefaultConfiguration(),
    responseSerializer: ImageResponseSerializer = ImageResponseSerializer()
  ) {
    self.init(
      sessionManager: HTTPSessionManager {
        $0.session = configuration
        $0.responseSerializer = responseSerializer
      })
  }
}
