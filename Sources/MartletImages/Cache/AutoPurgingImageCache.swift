import EssentialFoundation
import MartletCore

/// Keeps images in memory, and drops those unused for longest when they become too large together.
///
///     let cache = AutoPurgingImageCache(memoryCapacity: 32 << 20, preferredMemoryUsageAfterPurge: 16 << 20)
///     cache.add(image, for: request)
///     let same = cache.image(for: request)
///
/// An image counts four bytes for each of its pixels, or as many as it came as, if these are more. As soon as the
/// images exceed the capacity, the oldest go until no more than the preferred usage is left. When the system runs short
/// of memory, all go.
///
/// Safe to use from any thread.
public final class AutoPurgingImageCache: ImageRequestCache {
  private struct State {
    var images = CachedImages()
    var capacity: UInt64
    var preferred: UInt64

    /// What has to go after an image was added (IMC-4).
    mutating func purge() -> [RasterImage] {
      // A preference above the capacity counts as the capacity (in place of IMC-6).
      images.usage > capacity ? images.removeOldest(downTo: min(preferred, capacity)) : []
    }
  }

  private let state: Locked<State>
  private let observation: MemoryPressure.Observation?

  /// A cache.
  ///
  /// - Parameters:
  ///   - memoryCapacity: The most bytes to keep. The default is 100 MiB.
  ///   - preferredMemoryUsageAfterPurge: How many bytes may be left when the capacity was exceeded. The default is
  ///     60 MiB.
  ///   - memoryPressure: Empties the cache when memory runs short; `nil` for none. The default is the system.
  public init(
    memoryCapacity: UInt64 = 100 << 20, preferredMemoryUsageAfterPurge: UInt64 = 60 << 20,
    memoryPressure: MemoryPressure? = .system
  ) {
    let state = Locked(
      State(capacity: memoryCapacity, preferred: preferredMemoryUsageAfterPurge))
    self.state = state
    observation = memoryPressure?.observe { Self.removeAll(from: state) }
  }

  // MARK: Limits

  /// The most bytes to keep. A change counts from the next image that is added.
  public var memoryCapacity: UInt64 {
    get { state.withLock { $0.capacity } }
    set { state.withLock { $0.capacity = newValue } }
  }

  /// How many bytes may be left when the capacity was exceeded; no more than the capacity ever are. A change counts
  /// from the next image that is added.
  public var preferredMemoryUsageAfterPurge: UInt64 {
    get { state.withLock { $0.preferred } }
    set { state.withLock { $0.preferred = newValue } }
  }

  /// How many bytes the images count together; never more than the capacity as it was when the last was added.
  public var memoryUsage: UInt64 { state.withLock { $0.images.usage } }

  // MARK: Images

  // Removed images go behind the lock: freeing them takes a while.

  /// Keeps an image as the one used last, and drops the oldest if there is no room for all.
  ///
  /// One that is larger than the capacity is dropped at once, after all others (IMC-5).
  public func add(_ image: RasterImage, withIdentifier identifier: String) {
    _ = state.withLock { state in
      (state.images.add(image, as: identifier), state.purge())
    }
  }

  /// Forgets an image.
  ///
  /// - Returns: Whether it was there.
  @discardableResult
  public func removeImage(withIdentifier identifier: String) -> Bool {
    state.withLock { $0.images.remove(identifier) } != nil
  }

  /// Forgets all images.
  ///
  /// - Returns: Whether there were any.
  @discardableResult
  public func removeAllImages() -> Bool {
    Self.removeAll(from: state)
  }

  /// Looks an image up, and makes it the one used last.
  public func image(withIdentifier identifier: String) -> RasterImage? {
    state.withLock { $0.images.use(identifier) }
  }

  /// Drops images now, those unused for longest first: for an application that knows better than the system when
  /// memory is needed elsewhere (IMC-12).
  ///
  /// - Parameter memoryUsage: How many bytes may be left. The default, 0, leaves none.
  public func trim(to memoryUsage: UInt64 = 0) {
    _ = state.withLock { $0.images.removeOldest(downTo: memoryUsage) }
  }

  @discardableResult
  private static func removeAll(from state: Locked<State>) -> Bool {
    let images = state.withLock { state in
      defer { state.images = CachedImages() }
      return state.images
    }
    return !images.isEmpty
  }
}
