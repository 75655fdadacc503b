public import Martlet
import MartletCore

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
