/// Images in the order of their last use: a value that a cache changes under a lock.
///
/// Each knows the ones used just before and after it, so that every change takes the same time however many there
/// are. The order takes the place of times of access.
struct CachedImages: Sendable {
  private struct CachedImage {
    let image: RasterImage
    let cost: UInt64
    var older: String?
    var newer: String?
  }

  private var images: [String: CachedImage] = [:]
  private var oldest: String?
  private var newest: String?
  /// What all of them cost, in bytes.
  private(set) var usage: UInt64 = 0

  var isEmpty: Bool { images.isEmpty }

  /// The image under an identifier, which is the one used last from now on (IMC-7).
  mutating func use(_ identifier: String) -> RasterImage? {
    guard let entry = images[identifier] else { return nil }
    if identifier != newest {
      unlink(entry)
      link(entry.image, entry.cost, as: identifier)
    }
    return entry.image
  }

  /// Adds an image as the one used last, in place of what was there, which is returned (IMC-3).
  mutating func add(_ image: RasterImage, as identifier: String) -> RasterImage? {
    let replaced = remove(identifier)
    link(image, image.cacheCost, as: identifier)
    usage = usage.addingClamped(image.cacheCost)
    return replaced
  }

  /// Removes what is under an identifier, and returns it.
  @discardableResult
  mutating func remove(_ identifier: String) -> RasterImage? {
    guard let entry = images.removeValue(forKey: identifier) else { return nil }
    unlink(entry)
    usage -= min(entry.cost, usage)
    return entry.image
  }

  /// Removes those unused for longest, until the rest costs no more than `limit` bytes (IMC-4).
  mutating func removeOldest(downTo limit: UInt64) -> [RasterImage] {
    var removed: [RasterImage] = []
    while usage > limit, let oldest, let image = remove(oldest) { removed.append(image) }
    return removed
  }

  // MARK: The order

  private mutating func link(_ image: RasterImage, _ cost: UInt64, as identifier: String) {
    images[identifier] = CachedImage(image: image, cost: cost, older: newest, newer: nil)
    if let newest { images[newest]?.newer = identifier } else { oldest = identifier }
    newest = identifier
  }

  /// Closes the gap that an image leaves.
  private mutating func unlink(_ entry: CachedImage) {
    if let older = entry.older { images[older]?.newer = entry.newer } else { oldest = entry.newer }
    if let newer = entry.newer { images[newer]?.older = entry.older } else { newest = entry.older }
  }
}

extension RasterImage {
  /// What it costs to keep: four bytes for each pixel, whether it is decoded yet or not (IMC-1).
  ///
  /// An image keeps the bytes that it came as, too; they count where they are more, as those of a few pixels with a
  /// megabyte of text.
  var cacheCost: UInt64 {
    max(UInt64(clamping: header.pixels).multipliedClamped(by: 4), UInt64(data.count))
  }
}

extension UInt64 {
  fileprivate func addingClamped(_ other: UInt64) -> UInt64 {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? .max : sum
  }

  fileprivate func multipliedClamped(by other: UInt64) -> UInt64 {
    let (product, overflows) = multipliedReportingOverflow(by: other)
    return overflows ? .max : product
  }
}
