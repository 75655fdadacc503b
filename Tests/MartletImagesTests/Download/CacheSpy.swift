import EssentialFoundation
import Martlet
import MartletImages

/// A cache that counts what it is asked.
final class CacheSpy: ImageRequestCache {
  private let cache = AutoPurgingImageCache(memoryPressure: nil)
  private let isWilling: Bool
  private let counts = Locked((asked: 0, added: 0))

  init(isWilling: Bool) {
    self.isWilling = isWilling
  }

  var asked: Int { counts.withLock { $0.asked } }
  var added: Int { counts.withLock { $0.added } }

  func shouldCache(_ image: RasterImage, for request: Request, additionalIdentifier: String?)
    -> Bool
  {
    counts.withLock { $0.asked += 1 }
    return isWilling
  }

  func add(_ image: RasterImage, withIdentifier identifier: String) {
    counts.withLock { $0.added += 1 }
    cache.add(image, withIdentifier: identifier)
  }

  func removeImage(withIdentifier identifier: String) -> Bool {
    cache.removeImage(withIdentifier: identifier)
  }

  func removeAllImages() -> Bool { cache.removeAllImages() }

  func image(withIdentifier identifier: String) -> RasterImage? {
    cache.image(withIdentifier: identifier)
  }
}
