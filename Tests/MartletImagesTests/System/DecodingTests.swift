#if Images
import Foundation
import Martlet
import MartletImages
import SpecificationCoverage
import Testing

@Suite(.timeLimit(.minutes(5)))
struct DecodingTests {
  private let decoder = SystemImageDecoder()
  /// In the order of their numbers.
  private static let orientations = [
    "TopLeft", "TopRight", "BottomRight", "BottomLeft", "LeftTop", "RightTop", "RightBottom",
    "LeftBottom",
  ]

  @Test(.covers("RES-I2", "RES-I3"), arguments: ImageFormat.allCases)
  func `a real picture of each format is decoded`(format: ImageFormat) async throws {
    let data = try #require(try await RealPictures.small()[format])
    #expect(ImageFormat(of: data) == format)
    #expect(SystemImageDecoder.formats.contains(format))
    let pixels = try decoder.pixels(of: data)
    #expect(try decoder.header(of: data) == ImageHeader(width: 24, height: 16))
    #expect((pixels.width, pixels.height) == (24, 16))
    for y in [0, 15] {
      #expect(
        zip(pixels[1, y], [0, 0, 0, 255] as [UInt8]).allSatisfy { abs(Int($0) - Int($1)) < 24 })
      #expect(pixels[22, y].allSatisfy { $0 > 231 })
    }
  }

  @Test(arguments: ImageFormat.allCases)
  func `a picture that is cut off is an error`(format: ImageFormat) async throws {
    let data = try await RealPictures.make(
      format == .xbm ? "-monochrome" : "-auto-level", "-seed", "1", "-size", "40x40", "plasma:",
      as: format)
    _ = try decoder.pixels(of: data)
    for part in [0.0, 0.1, 0.5, 0.8] {
      let error = failure { try decoder.pixels(of: data.prefix(Int(Double(data.count) * part))) }
      #expect(error?.code == .decodingFailed, "\(part)")
    }
  }

  @Test func `colours come multiplied by alpha`() async throws {
    let half = ["-size", "4x4", "xc:rgba(255,100,0,0.5)"]
    for format in [ImageFormat.png, .tiff, .bmp] {
      let data = try await RealPictures.make(half[0], half[1], half[2], as: format)
      let pixel = try decoder.pixels(of: data)[1, 1]
      #expect(pixel == [128, 50, 0, 128] || pixel == [127, 50, 0, 127], "\(format)")
    }
  }

  @Test func `16 bits for a colour become eight`() async throws {
    let data = try await RealPictures.make(
      "-size", "4x4", "xc:rgb(200,100,50)", "-define", "png:bit-depth=16", "-define",
      "png:color-type=2", as: .png)
    #expect(data[24] == 16)
    #expect(try decoder.pixels(of: data)[3, 3] == [200, 100, 50, 255])
  }

  @Test(.covers("RES-I3"))
  func `a CMYK JPEG is decoded`() async throws {
    let data = try await RealPictures.make(
      "-size", "8x8", "xc:red", "-colorspace", "CMYK", "-quality", "95", as: .jpeg)
    let pixel = try decoder.pixels(of: data)[4, 4]
    #expect(pixel[0] > 200 && pixel[1] < 60 && pixel[2] < 60 && pixel[3] == 255)
  }

  @Test(arguments: orientations)
  func `a TIFF is turned as it says`(orientation: String) async throws {
    try expectTurned(
      await RealPictures.make(
        "-size", "12x16", "xc:black", "xc:white", "+append", "-orient", orientation, as: .tiff),
      orientation)
  }

  @Test(arguments: orientations)
  func `a JPEG is turned as its EXIF says`(orientation: String) async throws {
    let number = try #require(Self.orientations.firstIndex(of: orientation)) + 1
    let exif = HandmadePictures.tiff(orientation: number)
    let segment =
      Data([0xFF, 0xE1]) + HandmadePictures.big(exif.count + 8, 2) + Data("Exif\0\0".utf8) + exif
    let data = try #require(try await RealPictures.small()[.jpeg])
    try expectTurned(data.prefix(2) + segment + data.dropFirst(2), orientation)
  }

  /// The left half is black and the right half white before it is turned.
  private func expectTurned(_ data: Data, _ orientation: String) throws {
    let header = try decoder.header(of: data)
    let pixels = try decoder.pixels(of: data)
    #expect(header == ImageHeader(width: pixels.width, height: pixels.height))
    let isOnItsSide = ["LeftTop", "RightTop", "RightBottom", "LeftBottom"].contains(orientation)
    #expect(
      header == (isOnItsSide ? ImageHeader(width: 16, height: 24) : .init(width: 24, height: 16)))
    // Where the first column, which is black, is to be seen (TIFF 6.0, Orientation).
    let isBlackFirst = ["TopLeft", "BottomLeft", "LeftTop", "RightTop"].contains(orientation)
    #expect((pixels[1, 1][0] < 128) == isBlackFirst)
    #expect((pixels[pixels.width - 2, pixels.height - 2][0] < 128) == !isBlackFirst)
  }

  @Test func `of a picture that moves, the first frame is decoded`() async throws {
    for format in [ImageFormat.gif, .webp] {
      let data = try await RealPictures.make(
        "-size", "4x4", "xc:black", "-size", "4x4", "xc:white", as: format)
      #expect(try decoder.pixels(of: data)[0, 0][0] < 24)
    }
  }

  @Test func `a GIF's first frame is found behind extensions, and others may be of any size`()
    throws
  {
    let comment = Data([0x21, 0xFE, 1, 0x2C, 0])
    let control = Data([0x21, 0xF9, 4, 0, 0, 0, 0, 0])
    let data = HandmadePictures.gif(
      width: 1, height: 1, comment, control, HandmadePictures.gifFrame(isBlue: true), comment,
      HandmadePictures.gifFrame(width: 20_000, height: 20_000))
    #expect(try decoder.pixels(of: data)[0, 0] == [0, 0, 255, 255])
  }

  @Test func `an icon that holds a PNG is decoded`() async throws {
    let png = try await RealPictures.make("-size", "4x4", "xc:rgba(255,0,0,0.5)", as: .png)
    let pixels = try decoder.pixels(of: HandmadePictures.icon(of: png))
    #expect(pixels[0, 0] == [128, 0, 0, 128])
  }

  @Test func `many threads decode at a time`() async throws {
    let pictures = try await RealPictures.small()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        for data in pictures.values {
          group.addTask { _ = try SystemImageDecoder().pixels(of: data) }
        }
      }
      try await group.waitForAll()
    }
  }
}
#endif
