import Foundation
import HTTPTypes
import Martlet
import MartletImages
import NIOCore
import SpecificationCoverage
import Testing

struct ImageResponseSerializerTests {
  private let serializer = ImageResponseSerializer(decoder: StubDecoder())
  private let picture = Data("6x4".utf8)

  private func response(_ code: Int = 200, _ type: String = "image/png") -> Response {
    let head = ResponseHead(
      status: HTTPResponse.Status(code: code), headers: [.contentType: type])
    return Response(head: head, url: URL(fileURLWithPath: "/"))
  }

  @Test(
    .covers("RES-I1"),
    arguments: [
      "image/tiff", "image/jpeg", "image/gif", "image/png", "image/ico", "image/x-icon",
      "image/bmp",
      "image/x-bmp", "image/x-xbitmap", "image/x-win-bitmap", "image/webp", "image/avif",
    ])
  func `twelve content types are acceptable`(type: String) throws {
    #expect(try serializer.serialize(response(200, type), data: picture).pixelWidth == 6)
    #expect(ImageResponseSerializer.defaultContentTypes.count == 12)
  }

  @Test(.covers("RES-I1"))
  func `others are not`() {
    let error = failure {
      try serializer.serialize(response(200, "image/svg+xml"), data: picture)
    }
    #expect(error?.message == "Request failed: unacceptable content-type: image/svg+xml")
  }

  @Test(.covers("RES-I1"))
  func `a bad status comes with the picture, or is underneath what is wrong with it`() {
    let explained = failure { try serializer.serialize(response(404), data: picture) }
    #expect(explained?.code == .unacceptableStatusCode)
    #expect((explained?.object as? RasterImage)?.pixelWidth == 6)
    let broken = failure { try serializer.serialize(response(404), data: Data("no".utf8)) }
    #expect(broken?.code == .decodingFailed)
    #expect((broken?.underlying as? MartletError)?.code == .unacceptableStatusCode)
  }

  @Test(.covers("RES-I3"))
  func `a picture is decoded at once`() throws {
    #expect(serializer.inflatesImagesAutomatically)
    #expect(try serializer.serialize(response(), data: picture).isInflated)
  }

  @Test(.covers("RES-I2"))
  func
    `without inflation it is decoded on first use, and as large as its pixels divided by the scale`()
    throws
  {
    var serializer = serializer
    serializer.inflatesImagesAutomatically = false
    serializer.imageScale = 2
    let image = try serializer.serialize(response(), data: picture)
    #expect(!image.isInflated)
    #expect((image.width, image.height) == (3, 2))
    #expect(try image.pixels().width == 6)
  }

  @Test(.covers("RES-I4"))
  func `a picture of more than 1 048 576 pixels is decoded on first use`() throws {
    let limit = try serializer.serialize(response(), data: Data("1024x1024".utf8))
    #expect(limit.isInflated)
    let beyond = try serializer.serialize(response(), data: Data("1024x1025".utf8))
    #expect(!beyond.isInflated)
  }

  /// Reads sizes, and decodes what it is said to decode, which fails.
  private struct FailingDecoder: ImageDecoder {
    let decodesFormat: Bool

    func header(of data: Data) throws -> ImageHeader { try StubDecoder().header(of: data) }

    func pixels(of data: Data) throws -> Pixels {
      throw MartletError(
        .decodingFailed, "The response could not be decoded as an image: it is cut off.")
    }

    func canDecode(_ data: Data) -> Bool { decodesFormat }
  }

  @Test(.covers("RES-I4"))
  func `a picture of a format that the decoder does not decode is returned as it came`() throws {
    let serializer = ImageResponseSerializer(decoder: FailingDecoder(decodesFormat: false))
    let image = try serializer.serialize(response(), data: picture)
    #expect(image.data == picture)
    #expect(image.pixelWidth == 6)
    #expect(!image.isInflated)
    #expect(failure { try image.pixels() }?.code == .decodingFailed)
  }

  @Test(.covers("RES-I5"))
  func `a picture that is broken behind its header is an error`() {
    let serializer = ImageResponseSerializer(decoder: FailingDecoder(decodesFormat: true))
    let error = failure { try serializer.serialize(response(), data: picture) }
    #expect(error?.message == "The response could not be decoded as an image: it is cut off.")
  }

  @Test(.covers("RES-I5"), arguments: ["", "rubbish"])
  func `what is no picture is an error`(text: String) {
    let error = failure { try serializer.serialize(response(), data: Data(text.utf8)) }
    let reason = text.isEmpty ? "its body is empty" : "no size"
    #expect(error?.code == .decodingFailed)
    #expect(error?.message == "The response could not be decoded as an image: \(reason).")
    #expect(error?.response?.status.code == 200)
    #expect(error?.body?.readableBytes == text.utf8.count)
  }

  @Test func `a picture that says it has too many pixels is refused by its header`() {
    let error = failure { try serializer.serialize(response(), data: Data("30000x30000".utf8)) }
    #expect(error?.code == .decodingFailed)
    #expect(
      error?.message
        == "The response could not be decoded as an image: it has 30000 × 30000 pixels, and 67108864 are allowed (see `maximumPixels`)."
    )
    let endless = failure {
      try serializer.serialize(response(), data: Data("\(Int.max)x\(Int.max)".utf8))
    }
    #expect(endless?.code == .decodingFailed)
    var boundless = serializer
    boundless.maximumPixels = .max
    let unlimited = try? boundless.serialize(
      response(), data: Data("\(Int.max)x\(Int.max)".utf8))
    #expect(unlimited?.isInflated == false)
  }

  @Test(.covers("T-IMR-01", "T-IMR-02", "T-IMR-03", "T-IMR-04", "RES-I6"))
  func `a copy is equal and changes alone, and an archive keeps it`() throws {
    var one = serializer
    one.acceptableContentTypes = ["image/png"]
    one.acceptableStatusCodes = [200]
    one.imageScale = 2
    one.inflatesImagesAutomatically = false
    var copy = one
    #expect(copy == one)
    #expect(copy.hashValue == one.hashValue)
    let archived = try JSONDecoder().decode(
      ImageResponseSerializer.self, from: JSONEncoder().encode(one))
    #expect(archived == one)
    #expect(archived.decoder is SystemImageDecoder)
    copy.imageScale = 3
    copy.acceptableStatusCodes = nil
    #expect(copy != one)
    #expect(one.imageScale == 2)
    #expect(one.acceptableStatusCodes == [200])
  }

  @Test func `a scale that is none counts as 1`() throws {
    for scale in [0, -1, .nan, .infinity] as [Double] {
      #expect(try RasterImage(picture, decoder: StubDecoder(), scale: scale).width == 6)
    }
  }
}
