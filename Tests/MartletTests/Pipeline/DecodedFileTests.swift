import EssentialFoundation
import Foundation
import MartletTesting
import MartletTransport
import NIOCore
import Testing

@testable import Martlet
@testable import MartletEssentials

/// Compressed bodies on their way into files.
@Suite(.timeLimit(.minutes(5)))
struct DecodedFileTests {
  /// Notes how large the pieces are.
  private struct Probe: ContentDecoder {
    let inflate: InflateDecoder
    let largest: Locked<Int>

    init(_ largest: Locked<Int>) {
      var limits = DecompressionInterceptor.Limits()
      limits.ratio = 2000
      inflate = InflateDecoder(.gzip, limits, size: .max)
      self.largest = largest
    }

    mutating func decode(_ input: inout ByteBuffer, upTo limit: Int) throws -> ByteBuffer? {
      let piece = try inflate.decode(&input, upTo: limit)
      largest.withLock { $0 = max($0, piece?.readableBytes ?? 0) }
      return piece
    }

    mutating func finish() throws { try inflate.finish() }
  }

  @Test func `a body that swells to 16 MiB is written in pieces of at most 256 KiB`() async throws {
    let body = try Deflate.compressed(ByteBuffer(repeating: 0, count: 16 << 20), as: .gzip)
    let server = try await ScriptedServer.start(
      .reply(CannedResponse(200, ["Content-Encoding": "gzip"], bytes: body)))
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("body")
    let largest = Locked(0)
    var request = Request(url: server.url())
    let decoding = ContentDecoderFactory { Probe(largest) }
    request.delivery = Delivery(.file(FileDestination(url: file, decoderFactory: decoding)))
    _ = try await HTTPTransport().send(request)
    #expect(try file.resourceValues(forKeys: [.fileSizeKey]).fileSize == 16 << 20)
    #expect((1...(256 << 10)).contains(largest.current))
    await server.stop()
  }
}
