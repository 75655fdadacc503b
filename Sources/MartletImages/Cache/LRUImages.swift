/// Images in the order of their last use: a value type that a cache changes under its lock.
///
/// The images form a linked list, so that each change takes constant time. The order replaces times of access.
struct LRUImages: Sendable {
  private struct Entry {
    let image: RasterImage
    let cost: UInt64
    var older: String?
    var newer: String?
  }

  private var images: [String: Entry] = [:]
  private var oldest: String?
  private var newest: String?
  /// The size of all images, in bytes.
  private(set) var usage: UInt64 = 0

  var isEmpty: Bool { images.isEmpty }

  /// Returns an image and makes it the most recently used one (IMC-7).
  mutating func use(_ identifier: String) -> RasterImage? {
    guard let entry = images[identifier] else { return nil }
    if identifier != newest {
      unlink(entry)
      link(entry.image, entry.cost, as: identifier)
    }
    return entry.image
  }

  /// Adds an image as the most recently used one, and returns the image that it replaces (IMC-3).
  mutating func add(_ image: RasterImage, as identifier: String) -> RasterImage? {
    let replaced = remove(identifier)
    link(image, image.cacheCost, as: identifier)
    usage = usage.addingClamped(image.cacheCost)
    return replaced
  }

  /// Removes an image and returns it.
  @discardableResult
  mutating func remove(_ identifier: String) -> RasterImage? {
    guard let entry = images.removeValue(forKey: identifier) else { return nil }
    unlink(entry)
    usage -= min(entry.cost, usage)
    return entry.image
  }

  /// Removes the least recently used images until the others take at most `limit` bytes (IMC-4).
  mutating func removeOldest(downTo limit: UInt64) -> [RasterImage] {
    var removed: [RasterImage] = []
    while usage > limit, let oldest, let image = remove(oldest) { removed.append(image) }
    return removed
  }

  // MARK: The order

  private mutating func link(_ image: RasterImage, _ cost: UInt64, as identifier: String) {
    images[identifier] = Entry(image: image, cost: cost, older: newest, newer: nil)
    if let newest { images[newest]?.newer = identifier } else { oldest = identifier }
    newest = identifier
  }

  /// Links the neighbours of an image to each other.
  private mutating func unlink(_ entry: Entry) {
    if let older = entry.older { images[older]?.newer = entry.newer } else { oldest = entry.newer }
    if let newer = entry.newer { images[newer]?.older = entry.older } else { newest = entry.older }
  }
}

extension RasterImage {
  /// The size of the image in a cache: four bytes for each pixel, whether it is decoded or not (IMC-1).
  ///
  /// An image keeps its encoded data, too. The size of the data counts if it is larger, as for a few pixels with a
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
