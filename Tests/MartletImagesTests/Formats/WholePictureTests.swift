import Foundation
import Martlet
import Testing

@testable import MartletImages

/// What a decoder gets of a picture, if it gets it at all.
struct WholePictureTests {
  private let frame = HandmadePictures.gifFrame()
  private let other = HandmadePictures.gifFrame(isBlue: true)

  private static let oversized: [(name: String, data: Data)] = [
    (
      "GIF frame",
      HandmadePictures.gif(
        width: 1, height: 1, HandmadePictures.gifFrame(width: 20_000, height: 20_000))
    ),
    (
      "TIFF tile", HandmadePictures.tiff(more: [(322, 40_000), (323, 40_000)])
    ),
    ("TIFF samples", HandmadePictures.tiff(width: 8000, height: 8000, more: [(277, 1000)])),
  ]

  @Test(arguments: oversized.indices)
  func `a part that is larger than the whole is refused before a decoder sees it`(index: Int) {
    let (name, data) = Self.oversized[index]
    let error = failure { try SystemImageDecoder().pixels(of: data) }
    #expect(
      error?.message
        == "The response could not be decoded as an image: its contents do not match the size in its header.",
      "\(name)")
  }

  @Test func `an X bitmap with fewer bytes than its size takes is cut off`() {
    let text = "#define a_width 180000\n#define a_height 180000\nstatic char a_bits[] = {0x00};"
    let error = failure { try SystemImageDecoder().pixels(of: Data(text.utf8)) }
    #expect(error?.message == "The response could not be decoded as an image: it is cut off.")
  }

  @Test func `tiles and samples as usual are let through`() throws {
    for more in [[], [(322, 256), (323, 256), (277, 4)], [(277, 5)]] as [[(Int, Int)]] {
      #expect(throws: Never.self) {
        try EncodedImage(reading: HandmadePictures.tiff(more: more)).checkedForDecoding()
      }
    }
  }

  // MARK: GIF

  @Test func `of a GIF that moves, the first frame alone is left`() throws {
    let control = Data([0x21, 0xF9, 4, 0, 0, 0, 0, 0])
    let later = Data([0x21, 0xF9, 4, 9, 9, 9, 9, 0])
    let moving = HandmadePictures.gif(width: 1, height: 1, control, frame, later, other)
    #expect(
      try EncodedImage(reading: moving).checkedForDecoding().data
        == HandmadePictures.gif(width: 1, height: 1, control, frame))
  }

  @Test func `extensions that a decoder might read otherwise do not reach it`() throws {
    let odd: [[UInt8]] = [
      [0x21, 0xF9, 0], [0x21, 0, 1, 0x2C, 0], [0x21, 0xF9, 5, 1, 1, 1, 1, 1, 0],
    ]
    for block in odd {
      let data = HandmadePictures.gif(width: 1, height: 1, Data(block), frame)
      #expect(
        try EncodedImage(reading: data).checkedForDecoding().data
          == HandmadePictures.gif(width: 1, height: 1, frame))
    }
  }

  @Test func `a GIF that ends within any of its blocks is cut off`() {
    let data = HandmadePictures.gif(width: 1, height: 1, frame, other)
    for length in 13..<data.count {
      let error = failure { try EncodedImage(reading: data.prefix(length)).checkedForDecoding() }
      #expect(error?.message == "The response could not be decoded as an image: it is cut off.")
    }
  }

  @Test func `a GIF without frames has no pixels`() {
    let data = HandmadePictures.gif(width: 1, height: 1)
    let error = failure { try EncodedImage(reading: data).checkedForDecoding() }
    #expect(error?.message == "The response could not be decoded as an image: it has no pixels.")
  }
}
