#if Images
import Foundation
import HTTPTypes
import Martlet
import MartletImages
import MartletTesting
import Testing

/// Pictures that mean harm.
@Suite(.timeLimit(.minutes(5)))
struct HostilePictureTests {
  @Test(arguments: ImageFormat.allCases)
  func `none of 1200 mutations of a picture of each format brings the process down`(
    format: ImageFormat
  ) async throws {
    let picture = try #require(try await RealPictures.small()[format])
    let decoded = try await aside {
      var generator = SeededGenerator(seed: 7)
      return try (0..<1200).count { _ in try Self.isDecoded(generator.mutated(picture)) }
    }
    #expect(decoded > 0 && decoded < 1200)
  }

  private struct NotAsLargeAsItSays: Error {}

  /// Whether a picture has pixels, as many as it says, and not an error that is Martlet's.
  private static func isDecoded(_ data: Data) throws -> Bool {
    do {
      let image = try RasterImage(data, maximumPixels: 10_000)
      let pixels = try image.pixels()
      guard (pixels.width, pixels.height) == (image.pixelWidth, image.pixelHeight) else {
        throw NotAsLargeAsItSays()
      }
      return true
    } catch let error as MartletError where error.code == .decodingFailed {
      return false
    }
  }

  @Test func `a PNG of 30 000 × 30 000 pixels is refused before memory is taken for them`()
    async throws
  {
    let bomb = try await Self.bomb()
    let (error, growth) = try await Self.growth {
      failure { try ImageResponseSerializer().serialize(Self.response, data: bomb) }
    }
    #expect(
      error?.message
        == "The response could not be decoded as an image: it has 30000 × 30000 pixels, and 67108864 are allowed (see `maximumPixels`)."
    )
    // The pixels would be 2.7 GB.
    #expect(growth < 1_000_000_000)
  }

  @Test func `a frame of another size than the header's takes no memory either`() async throws {
    // Two headers, of which libpng believes the second.
    let small = try #require(try await RealPictures.small()[.png])
    let liar = small.prefix(33) + (try await Self.bomb()).dropFirst(8)
    let (error, growth) = try await Self.growth {
      failure { try SystemImageDecoder().pixels(of: liar) }
    }
    #expect(error?.code == .decodingFailed)
    #expect(growth < 1_000_000_000)
  }

  @Test func `an XBM that defines its size again keeps the one before its array`() async throws {
    let small = try #require(try await RealPictures.small()[.xbm])
    let text = String(decoding: small, as: UTF8.self)
    let liar = text.replacing(
      "{", with: "{ }\n#define a_width 30000\nstatic char a_bits[] = {", maxReplacements: 1)
    let pixels = try? SystemImageDecoder().pixels(of: Data(liar.utf8))
    #expect(pixels == nil || pixels?.width == 24)
  }

  @Test func `SVG is not even looked at`() {
    let error = failure {
      try SystemImageDecoder().pixels(
        of: Data("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8))
    }
    #expect(
      error?.message == "The response could not be decoded as an image: its format is not known.")
  }

  /// A small PNG whose header is overwritten, checksum included.
  private static func bomb() async throws -> Data {
    var png = try await RealPictures.make("-size", "1x1", "xc:white", "-depth", "1", as: .png)
    png.replaceSubrange(
      16..<24, with: HandmadePictures.big(30000, 4) + HandmadePictures.big(30000, 4))
    png.replaceSubrange(29..<33, with: HandmadePictures.big(Int(crc32(png[12..<29])), 4))
    return png
  }

  private static func crc32(_ data: Data) -> UInt32 {
    ~data.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in
        value >> 1 ^ (value & 1 == 1 ? 0xEDB8_8320 : 0)
      }
    }
  }

  /// What `body` returns, and by how much the process has grown meanwhile, while no other picture is decoded.
  private static func growth(_ body: @escaping @Sendable () -> MartletError?) async throws
    -> (MartletError?, Int)
  {
    try await aside {
      let before = try largestAddressSpace()
      let error = body()
      return (error, try largestAddressSpace() - before)
    }
  }

  /// How many bytes of addresses the process has had at once.
  private static func largestAddressSpace() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmPeak:") })
    let kilobytes = try #require(line.split { !$0.isNumber }.first.flatMap { Int($0) })
    return kilobytes * 1024
  }

  private static let response = Response(
    head: ResponseHead(status: .ok, headers: [.contentType: "image/png"]),
    url: URL(fileURLWithPath: "/"))
}
#endif
