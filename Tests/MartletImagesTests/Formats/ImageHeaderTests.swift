import Foundation
import Martlet
import MartletImages
import MartletTesting
import SpecificationCoverage
import Testing

struct ImageHeaderTests {
  @Test(arguments: HandmadePictures.all.indices)
  func `the size is read from the header, as the picture is seen`(index: Int) throws {
    let (format, data) = HandmadePictures.all[index]
    #expect(ImageFormat(of: data) == format)
    #expect(try ImageHeader(reading: data) == ImageHeader(width: 24, height: 16))
  }

  @Test(arguments: HandmadePictures.all.indices)
  func `a header that is cut off anywhere is an error`(index: Int) {
    let data = HandmadePictures.all[index].data
    for length in 0..<data.count {
      let header = try? ImageHeader(reading: data.prefix(length))
      // An XBM's array, a directory's last bytes and a JPEG's are not needed for the size.
      #expect(header == nil || header == ImageHeader(width: 24, height: 16))
    }
    #expect(throws: MartletError.self) { try ImageHeader(reading: data.prefix(9)) }
  }

  @Test func `no byte of a header brings the process down`() {
    var generator = SeededGenerator(seed: 1)
    for (_, data) in HandmadePictures.all {
      for _ in 0..<500 { _ = try? ImageHeader(reading: generator.mutated(data)) }
    }
  }

  @Test func `a part of a larger piece of data is read from its own beginning`() throws {
    let data = Data(repeating: 0, count: 7) + HandmadePictures.png()
    #expect(try ImageHeader(reading: data.dropFirst(7)) == ImageHeader(width: 24, height: 16))
  }

  @Test func `an icon is as large as its picture of most bytes, which may be PNG`() throws {
    let icon = HandmadePictures.icon(of: HandmadePictures.png(width: 256, height: 128))
    #expect(try ImageHeader(reading: icon) == ImageHeader(width: 256, height: 128))
  }

  @Test func `boxes of an AVIF picture may have lengths of eight bytes`() throws {
    let long = HandmadePictures.longBox("free", Data("tern".utf8))
    let endless = HandmadePictures.longBox("mdat", Data(), length: .max)
    let data = HandmadePictures.avif(
      turns: 0, width: 24, height: 16, between: long, behind: endless)
    #expect(try ImageHeader(reading: data) == ImageHeader(width: 24, height: 16))
    let liar = HandmadePictures.longBox("free", Data("tern".utf8), length: 15)
    let broken = HandmadePictures.avif(turns: 0, width: 24, height: 16, between: liar)
    #expect(throws: MartletError.self) { try ImageHeader(reading: broken) }
  }

  @Test(
    .covers("RES-I5"),
    arguments: [
      ("", "its body is empty"), ("<svg/>", "its format is not known"),
      ("GIF89a\0\0\u{1}\0", "it has no pixels"), ("GIF89a\0", "it is cut off"),
      ("#define a_width x\n{", "its header is malformed"),
    ])
  func `what is no picture is said to be none`(text: String, reason: String) {
    let error = failure { try ImageHeader(reading: Data(text.utf8)) }
    #expect(error?.code == .decodingFailed)
    #expect(error?.message == "The response could not be decoded as an image: \(reason).")
  }
}
