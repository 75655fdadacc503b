import EssentialFoundation
import MartletCore

/// Keeps images in memory, and removes the least recently used ones when together they exceed a limit.
///
///     let cache = AutoPurgingImageCache(memoryCapacity: 32 << 20, preferredMemoryUsageAfterPurge: 16 << 20)
///     cache.add(image, for: request)
///     let same = cache.image(for: request)
///
/// The size of an image is four bytes for each pixel, or the size of its encoded data if the data is larger. When the
/// images exceed the capacity, the least recently used are removed until at most the preferred usage is left. When the
/// system runs short of memory, all are removed.
///
/// Safe to use from any thread.
public final class AutoPurgingImageCache: ImageRequestCache {
  private struct State {
    var images = LRUImages()
    var capacity: UInt64
    var preferred: UInt64

    /// Removes images if they exceed the capacity after one was added (IMC-4).
    mutating func purge() -> [RasterImage] {
      // A preference above the capacity counts as the capacity (IMC-6 differs: it removes all images).
      images.usage > capacity ? images.removeOldest(downTo: min(preferred, capacity)) : []
    }
  }

  private let state: Locked<State>
  private let observation: MemoryPressure.Observation?

  /// A cache.
  ///
  /// - Parameters:
  ///   - memoryCapacity: The maximum size of all images, in bytes. The default is 100 MiB.
  ///   - preferredMemoryUsageAfterPurge: The size to which the images are reduced when they exceed the capacity, in
  ///     bytes. The default is 60 MiB.
  ///   - memoryPressure: The source of memory warnings, each of which empties the cache; `nil` for none. The default is
  ///     the system's.
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

  /// The maximum size of all images, in bytes. A change takes effect when the next image is added.
  public var memoryCapacity: UInt64 {
    get { state.withLock { $0.capacity } }
    set { state.withLock { $0.capacity = newValue } }
  }

  /// The size to which the images are reduced when they exceed the capacity, in bytes. A value above the capacity
  /// counts as the capacity. A change takes effect when the next image is added.
  public var preferredMemoryUsageAfterPurge: UInt64 {
    get { state.withLock { $0.preferred } }
    set { state.withLock { $0.preferred = newValue } }
  }

  /// The size of all images, in bytes; at most the capacity at the time when the last image was added.
  public var memoryUsage: UInt64 { state.withLock { $0.images.usage } }

  // MARK: Images

  // Removed images are released outside of the lock, because releasing them takes time.

  /// Adds an image as the most recently used one, and removes the least recently used if the capacity is exceeded.
  ///
  /// An image that is larger than the capacity is removed at once, after all others (IMC-5).
  public func add(_ image: RasterImage, withIdentifier identifier: String) {
    _ = state.withLock { state in
      (state.images.add(image, as: identifier), state.purge())
    }
  }

  /// Removes an image.
  ///
  /// - Returns: Whether it was there.
  @discardableResult
  public func removeImage(withIdentifier identifier: String) -> Bool {
    state.withLock { $0.images.remove(identifier) } != nil
  }

  /// Removes all images.
  ///
  /// - Returns: Whether there were any.
  @discardableResult
  public func removeAllImages() -> Bool {
    Self.removeAll(from: state)
  }

  /// Returns an image and makes it the most recently used one; `nil` when it is not there.
  public func image(withIdentifier identifier: String) -> RasterImage? {
    state.withLock { $0.images.use(identifier) }
  }

  /// Removes images now, the least recently used first (IMC-12).
  ///
  /// This is for applications that know better than the system when memory is needed elsewhere.
  ///
  /// - Parameter memoryUsage: The maximum size of the images that are left, in bytes. The default, 0, removes all.
  public func trim(to memoryUsage: UInt64 = 0) {
    _ = state.withLock { $0.images.removeOldest(downTo: memoryUsage) }
  }

  @discardableResult
  private static func removeAll(from state: Locked<State>) -> Bool {
    let images = state.withLock { state in
      defer { state.images = LRUImages() }
      return state.images
    }
    return !images.isEmpty
  }
}
