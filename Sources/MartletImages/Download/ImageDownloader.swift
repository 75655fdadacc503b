import EssentialFoundation
public import MartletEssentials
import MartletCore

/// Loads images: each URL once however many ask for it, so many at once, with a cache in memory in front.
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
/// A download is known by its URL alone: a request for one that is under way or waits shares what comes of the first
/// request for it, whatever the header fields and options of their own say. Give users with different credentials
/// downloaders of their own.
///
/// Safe to use from any thread. A downloader that is dropped cancels its downloads, and calls no closures (IMD-23).
public final class ImageDownloader: Sendable {
  /// Sends the requests, and makes images of the responses; its `completionQueue` is where closures are called.
  public let sessionManager: HTTPSessionManager
  /// Is asked before the network, and given what comes from it; `nil` keeps nothing.
  public let imageCache: (any ImageRequestCache)?
  let downloads: Locked<ImageDownloads<SessionTask>>
  /// Where tasks end: not where closures are called, so that slow closures do not hold up the next download.
  let queue = DispatchQueue(label: "martlet.images.downloader")

  /// A downloader.
  ///
  /// - Parameters:
  ///   - sessionManager: Sends the requests; its response serializer has to make images.
  ///   - downloadPrioritization: Which of the downloads that wait goes first. The default is `.fifo`.
  ///   - maximumActiveDownloads: How many are under way at once, at least 1. The default is 4.
  ///   - imageCache: Keeps images; `nil` for none. The default is a new cache of 100 MiB.
  public init(
    sessionManager: HTTPSessionManager, downloadPrioritization: Prioritization = .fifo,
    maximumActiveDownloads: Int = 4,
    imageCache: (any ImageRequestCache)? = AutoPurgingImageCache()
  ) {
    self.sessionManager = sessionManager
    self.imageCache = imageCache
    downloads = Locked(
      ImageDownloads(maximum: maximumActiveDownloads, prioritization: downloadPrioritization))
  }

  deinit {
    for task in downloads.current.works { task.cancel() }
  }

  /// Which of the downloads that wait goes first. A change counts for those that begin to wait from then on.
  public var downloadPrioritization: Prioritization {
    get { downloads.withLock { $0.prioritization } }
    set { downloads.withLock { $0.prioritization = newValue } }
  }

  /// The image that the cache has for a request, if the request's cache policy lets it be used (IMD-5).
  func cachedImage(for request: Request) -> RasterImage? {
    guard request.options.cachePolicy?.usesCachedResponses ?? true else { return nil }
    return imageCache?.image(for: request)
  }
}

extension ImageDownloader {
  /// Which of the downloads that wait goes first.
  public enum Prioritization: Int, Hashable, Codable, Sendable {
    /// The one that has waited for longest.
    case fifo = 0
    /// The one that was asked for last: for lists that are scrolled, where it is what is to be seen.
    case lifo = 1
  }
}

extension ImageDownloader {
  /// One for the whole process, with the default configuration, serializer and cache.
  public static let `default` = ImageDownloader()

  /// A cache of responses for images: 20 MiB, in memory. There is none on the disk (in place of a part of IMD-1).
  ///
  /// - Returns: A new one.
  public static func makeDefaultURLCache() -> MemoryResponseCache {
    MemoryResponseCache(capacity: 20 << 20)
  }

  /// The configuration of a session for images: with ``makeDefaultURLCache()``, and otherwise the defaults of every
  /// session, by which cookies are kept, caches do what the protocol says, and 60 s may pass between two bytes.
  ///
  /// - Returns: The configuration.
  public static func makeDefaultConfiguration() -> SessionConfiguration {
    var configuration = SessionConfiguration()
    configuration.cache = makeDefaultURLCache()
    return configuration
  }

  /// A downloader with a session of its own, for four downloads at once in the order in which they are asked for,
  /// and with a cache of its own.
  ///
  /// - Parameters:
  ///   - configuration: How the session connects, waits, and treats what comes back. The default is
  ///     ``makeDefaultConfiguration()``.
  ///   - responseSerializer: Makes images of responses. The default is one with the default decoder.
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
