import Foundation
import MartletImages
import Testing

@Suite struct ImageTests {
  @Test func `an image is as large as its pixels divided by its scale`() throws {
    let image = try Image(Data("6x4".utf8), decoder: StubDecoder(), scale: 2)
    #expect((image.pixelWidth, image.pixelHeight) == (6, 4))
    #expect((image.width, image.height) == (3, 2))
  }

  @Test func `pixels are decoded on first use`() throws {
    let image = try Image(Data("6x4".utf8), decoder: StubDecoder())
    #expect(!image.isInflated)
    #expect(try image.pixels().bytes.count == 96)
    #expect(image.isInflated)
  }

  @Test func `copies are identical, equal images are not`() throws {
    let image = try Image(Data("6x4".utf8), decoder: StubDecoder())
    let copy = image
    #expect(image.isIdentical(to: copy))
    #expect(try !image.isIdentical(to: Image(image.data, decoder: StubDecoder())))
  }
}
