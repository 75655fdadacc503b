#if !Images && !canImport(ImageIO)
import Foundation
import HTTPTypes
import Martlet
import MartletImages
import SpecificationCoverage
import Testing

/// The plain package: headers are read, pixels need the trait.
struct NoDecoderTests {
  private let picture = HandmadePictures.jpeg() + [0xFF, 0xD9]

  @Test func `the size is known, and asking for the pixels says what to do`() throws {
    #expect(SystemImageDecoder.formats.isEmpty)
    let image = try RasterImage(picture)
    #expect((image.pixelWidth, image.pixelHeight) == (24, 16))
    let error = failure { try image.pixels() }
    #expect(error?.code == .decodingFailed)
    #expect(
      error?.message
        == "The response could not be decoded as an image: no image decoder is available (build with the package's trait Images, or set a decoder)."
    )
  }

  @Test(.covers("RES-I4"), arguments: [1024, 1025])
  func `a response's picture is returned as it came, on either side of the limit for inflation`(
    height: Int
  ) throws {
    let picture = HandmadePictures.jpeg(width: 1024, height: height) + [0xFF, 0xD9]
    let response = Response(
      head: ResponseHead(status: .ok, headers: [.contentType: "image/jpeg"]),
      url: URL(fileURLWithPath: "/"))
    let image = try ImageResponseSerializer().serialize(response, data: picture)
    #expect((image.pixelWidth, image.pixelHeight) == (1024, height))
    #expect(image.data == picture)
    #expect(!image.isInflated)
    #expect(failure { try image.pixels() }?.code == .decodingFailed)
  }

  @Test func `so does asking for a file`() throws {
    let image = try RasterImage(Data("6x4".utf8), decoder: StubDecoder())
    let error = failure { try image.pngData() }
    #expect(error?.code == .encodingFailed)
    #expect(
      error?.message
        == "The image could not be encoded: no image encoder is available (build with the package's trait Images, or pass an encoder)."
    )
  }
}
#endif
