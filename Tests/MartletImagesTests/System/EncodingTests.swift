#if Images
import Foundation
import Martlet
import MartletImages
import Testing

@Suite(.timeLimit(.minutes(5)))
struct EncodingTests {
  private let decoder = SystemImageDecoder()

  @Test func `a picture that goes through PNG is the same`() async throws {
    let data = try await RealPictures.make(
      "-size", "12x16", "xc:rgba(255,100,0,0.5)", "xc:white", "+append", as: .png)
    let image = try RasterImage(data)
    #expect(try decoder.pixels(of: image.pngData()) == image.pixels())
  }

  @Test func `a JPEG is nearly the same, and smaller at a lower quality`() async throws {
    let image = try RasterImage(
      try await RealPictures.make("-seed", "1", "-size", "64x64", "plasma:", as: .png))
    let jpeg = try image.jpegData()
    #expect(ImageFormat(of: jpeg) == .jpeg)
    let pairs = zip(try decoder.pixels(of: jpeg).bytes, try image.pixels().bytes)
    #expect(pairs.allSatisfy { abs(Int($0) - Int($1)) < 48 })
    #expect(try image.jpegData(quality: 0.2).count < jpeg.count)
    #expect(try image.jpegData(quality: .nan) == jpeg)
  }

  @Test func `what is transparent is white in a JPEG`() async throws {
    let image = try RasterImage(
      try await RealPictures.make("-size", "8x8", "xc:rgba(0,0,0,0)", as: .png))
    #expect(try decoder.pixels(of: image.jpegData())[4, 4] == [255, 255, 255, 255])
  }
}
#endif
