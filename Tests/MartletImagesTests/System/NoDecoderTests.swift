#if !Images && !canImport(ImageIO)
import Foundation
import Martlet
import MartletImages
import Testing

/// The plain package: headers are read, pixels need the trait.
struct NoDecoderTests {
  private let picture = HandmadePictures.jpeg() + [0xFF, 0xD9]

  @Test func `the size is known, and asking for the pixels says what to do`() throws {
    #expect(SystemImageDecoder.formats.isEmpty)
    let image = try Image(picture)
    #expect((image.pixelWidth, image.pixelHeight) == (24, 16))
    let error = failure { try image.pixels() }
    #expect(error?.code == .decodingFailed)
    #expect(
      error?.message
        == "The response could not be decoded as an image: nothing here decodes pictures (build with the package's trait Images, or set a decoder)."
    )
  }

  @Test func `so does asking for a file`() throws {
    let image = try Image(Data("6x4".utf8), decoder: StubDecoder())
    let error = failure { try image.pngData() }
    #expect(error?.code == .encodingFailed)
    #expect(
      error?.message
        == "The image could not be encoded: nothing here encodes pictures (build with the package's trait Images, or pass an encoder)."
    )
  }
}
#endif
