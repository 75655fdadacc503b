import Foundation
import Martlet
import MartletImages
import SpecificationCoverage
import Testing

/// What goes when a cache is full. Images cost a hundred bytes each.
struct PurgeTests {
  private let cache = AutoPurgingImageCache(
    memoryCapacity: 1000, preferredMemoryUsageAfterPurge: 600, memoryPressure: nil)

  private func add(_ numbers: ClosedRange<Int>, size: String = "5x5") throws {
    for number in numbers {
      cache.add(
        try RasterImage(Data(size.utf8), decoder: StubDecoder()), withIdentifier: "\(number)")
    }
  }

  /// Which images there are; looking changes their order.
  private var kept: [Int] {
    (0...20).filter { cache.image(withIdentifier: "\($0)") != nil }
  }

  @Test(.covers("IMC-4", "T-IMC-14"))
  func `the image beyond the capacity makes the oldest go, down to what is preferred`() throws {
    for number in 0...9 {
      try add(number...number)
      #expect(cache.memoryUsage == UInt64(number + 1) * 100)
    }
    try add(10...10)
    #expect(cache.memoryUsage == 600)
    #expect(kept == [5, 6, 7, 8, 9, 10])
  }

  @Test(.covers("IMC-2", "IMC-4", "IMC-7", "T-IMC-15"))
  func `what was used lately stays`() throws {
    try add(0...9)
    _ = cache.image(withIdentifier: "0")
    try add(10...10)
    #expect(kept == [0, 6, 7, 8, 9, 10])
  }

  @Test(.covers("IMC-2", "IMC-3"))
  func `an image that takes the place of another is as good as new`() throws {
    try add(0...9)
    try add(0...0)
    #expect(cache.memoryUsage == 1000)
    try add(10...10)
    #expect(kept == [0, 6, 7, 8, 9, 10])
  }

  @Test(.covers("IMC-7"))
  func `the order holds through uses and removals of first, middle and last`() throws {
    try add(0...9)
    for number in [4, 9, 0] { cache.removeImage(withIdentifier: "\(number)") }
    for number in [1, 5, 8] { _ = cache.image(withIdentifier: "\(number)") }
    // Oldest first: 2, 3, 6, 7, 1, 5, 8.
    cache.trim(to: 300)
    #expect(kept == [1, 5, 8])
  }

  @Test(.covers("IMC-5"))
  func `an image that is larger than the capacity goes as well, after the others`() throws {
    try add(0...3)
    try add(4...4, size: "20x20")
    #expect(kept == [])
    #expect(cache.memoryUsage == 0)
  }

  @Test(.covers("IMC-6"))
  func `a preference above the capacity makes no more go than has to`() throws {
    cache.preferredMemoryUsageAfterPurge = 5000
    try add(0...10)
    #expect(cache.memoryUsage == 1000)
    #expect(kept == Array(1...10))
  }

  @Test(.covers("IMC-15"))
  func `new limits count from the next image on`() throws {
    try add(0...9)
    cache.memoryCapacity = 300
    cache.preferredMemoryUsageAfterPurge = 200
    #expect(cache.memoryUsage == 1000)
    try add(10...10)
    #expect(kept == [9, 10])
  }

  @Test func `thirty thousand images come and go quickly`() throws {
    let image = try RasterImage(Data("5x5".utf8), decoder: StubDecoder())
    let large = AutoPurgingImageCache(
      memoryCapacity: 1_000_000, preferredMemoryUsageAfterPurge: 999_900, memoryPressure: nil)
    let time = ContinuousClock().measure {
      for number in 0..<30_000 { large.add(image, withIdentifier: "\(number)") }
    }
    #expect(large.memoryUsage <= 1_000_000)
    // Looking for the oldest one by one would take minutes.
    #expect(time < .seconds(30))
  }
}
