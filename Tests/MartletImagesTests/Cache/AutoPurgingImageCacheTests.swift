import Foundation
import Martlet
import MartletImages
import SpecificationCoverage
import Testing

@Suite(.timeLimit(.minutes(5)))
struct AutoPurgingImageCacheTests {
  private let cache = AutoPurgingImageCache(memoryPressure: nil)
  private let request = Request(url: URL(filePath: "/tern.png"))

  /// A picture of 1 020 000 bytes.
  private func picture(_ size: String = "850x300", scale: Double = 1) throws -> RasterImage {
    try RasterImage(Data(size.utf8), decoder: StubDecoder(), scale: scale)
  }

  // MARK: Finding

  @Test(.covers("IMC-14", "T-IMC-01"))
  func `an image is found under its identifier, the very same`() throws {
    let image = try picture()
    cache.add(image, withIdentifier: "tern")
    #expect(cache.image(withIdentifier: "tern")?.isIdentical(to: image) == true)
    #expect(cache.image(withIdentifier: "gull") == nil)
  }

  @Test(.covers("IMC-9", "T-IMC-02", "T-IMC-05"))
  func `an image is found by its request's URL, whatever the rest of the request`() throws {
    let image = try picture()
    cache.add(image, for: request)
    let other = Request(.post, url: request.url, headers: [.accept: "image/*"])
    #expect(cache.image(for: other)?.isIdentical(to: image) == true)
    #expect(cache.image(for: Request(url: URL(filePath: "/gull.png"))) == nil)
    #expect(cache.image(withIdentifier: request.url.absoluteString)?.isIdentical(to: image) == true)
  }

  @Test(.covers("IMC-9", "IMC-10", "T-IMC-03", "T-IMC-04"))
  func `an additional identifier is a part of the key`() throws {
    let image = try picture()
    cache.add(image, for: request, additionalIdentifier: "round")
    #expect(
      cache.image(for: request, additionalIdentifier: "round")?.isIdentical(to: image) == true)
    #expect(cache.image(for: request) == nil)
    #expect(cache.image(withIdentifier: request.url.absoluteString + "round") != nil)
  }

  @Test(.covers("IMC-3", "T-IMC-06"))
  func `the second image of a request takes the place of the first`() throws {
    let (first, second) = (try picture("10x10"), try picture())
    cache.add(first, for: request)
    cache.add(second, for: request)
    #expect(cache.image(for: request)?.isIdentical(to: second) == true)
    #expect(cache.memoryUsage == 1_020_000)
  }

  // MARK: Removing

  @Test(.covers("IMC-8", "T-IMC-07"))
  func `an image is removed by its identifier, once`() throws {
    cache.add(try picture(), withIdentifier: "tern")
    #expect(cache.removeImage(withIdentifier: "tern"))
    #expect(!cache.removeImage(withIdentifier: "tern"))
    #expect(cache.image(withIdentifier: "tern") == nil)
  }

  @Test(.covers("IMC-8", "T-IMC-08", "T-IMC-09"), arguments: [nil, "round"])
  func `an image is removed by its request, once`(additional: String?) throws {
    cache.add(try picture(), for: request, additionalIdentifier: additional)
    #expect(cache.removeImage(for: request, additionalIdentifier: additional))
    #expect(!cache.removeImage(for: request, additionalIdentifier: additional))
    #expect(cache.image(for: request, additionalIdentifier: additional) == nil)
  }

  @Test(.covers("IMC-10", "T-IMC-10", "T-IMC-11"), arguments: [nil, "square"])
  func `another additional identifier removes nothing`(additional: String?) throws {
    cache.add(try picture(), for: request, additionalIdentifier: "round")
    #expect(!cache.removeImage(for: request, additionalIdentifier: additional))
    #expect(cache.image(for: request, additionalIdentifier: "round") != nil)
  }

  @Test(.covers("IMC-8", "T-IMC-13"))
  func `removing gives memory back`() throws {
    #expect(!cache.removeAllImages())
    cache.add(try picture(), withIdentifier: "tern")
    cache.add(try picture(), withIdentifier: "gull")
    cache.removeImage(withIdentifier: "tern")
    #expect(cache.memoryUsage == 1_020_000)
    #expect(cache.removeAllImages())
    #expect(cache.memoryUsage == 0)
    #expect(!cache.removeAllImages())
  }

  // MARK: Memory

  @Test(.covers("IMC-1", "T-IMC-12"), arguments: [1.0, 2, 3])
  func `an image costs four bytes for each pixel, whatever its scale`(scale: Double) throws {
    #expect(cache.memoryUsage == 0)
    cache.add(try picture(scale: scale), withIdentifier: "tern")
    #expect(cache.memoryUsage == 1_020_000)
  }

  @Test func `an image that came as more bytes than its pixels have costs those`() throws {
    let padded = Data(repeating: UInt8(ascii: "0"), count: 5000) + Data("1x1".utf8)
    cache.add(try RasterImage(padded, decoder: StubDecoder()), withIdentifier: "tern")
    #expect(cache.memoryUsage == 5003)
  }

  @Test(.covers("IMC-1"))
  func `an image that says it is larger than all memory is not kept`() throws {
    cache.add(try picture(), withIdentifier: "small")
    let huge = try RasterImage(
      Data("\(Int.max)x\(Int.max)".utf8), decoder: StubDecoder(), maximumPixels: .max)
    cache.add(huge, withIdentifier: "huge")
    #expect(cache.image(withIdentifier: "huge") == nil)
    #expect(cache.memoryUsage == 0)
  }

  @Test func `the default keeps 100 MiB, and 60 MiB after a purge`() {
    #expect(cache.memoryCapacity == 104_857_600)
    #expect(cache.preferredMemoryUsageAfterPurge == 62_914_560)
  }

  @Test(.covers("IMC-13", "T-IMC-16"))
  func `every image may be cached`() throws {
    #expect(cache.shouldCache(try picture(), for: request, additionalIdentifier: nil))
  }

  @Test(.covers("IMC-12"))
  func `an application drops the oldest images when it wants to`() throws {
    for number in 0..<5 { cache.add(try picture(), withIdentifier: "\(number)") }
    cache.trim(to: 2_500_000)
    #expect(cache.memoryUsage == 2_040_000)
    #expect(cache.image(withIdentifier: "2") == nil)
    #expect(cache.image(withIdentifier: "3") != nil)
    cache.trim()
    #expect(cache.memoryUsage == 0)
  }

  @Test(.covers("IMC-11"))
  func `many threads at once lose nothing`() async throws {
    let images = try (0..<8).map { _ in try picture() }
    await withTaskGroup(of: Void.self) { group in
      for (number, image) in images.enumerated() {
        group.addTask { [cache] in
          for turn in 0..<500 {
            cache.add(image, withIdentifier: "\(number)-\(turn % 10)")
            _ = cache.image(withIdentifier: "\((number + 1) % 8)-\(turn % 10)")
            if turn % 3 == 0 { cache.removeImage(withIdentifier: "\(number)-\(turn % 10)") }
          }
        }
      }
    }
    let kept = (0..<8).flatMap { number in (0..<10).map { "\(number)-\($0)" } }
      .filter { cache.image(withIdentifier: $0) != nil }
    #expect(!kept.isEmpty)
    #expect(cache.memoryUsage == UInt64(kept.count) * 1_020_000)
  }
}
