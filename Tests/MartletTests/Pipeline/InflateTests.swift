import Foundation
import MartletTesting
import NIOCore
import Testing

@testable import Martlet
@testable import MartletEssentials

/// Undoing gzip and deflate, whatever a server sends.
struct InflateTests {
  private let text = Data(String(repeating: "a martlet never lands; ", count: 500).utf8)

  @Test(arguments: [1, 7, 100_000], [1, 7, 1000, 100_000])
  func `gzip comes out the same however it is cut, before and after`(size: Int, piece: Int) throws {
    #expect(try inflate(deflate(text, .gzip), as: .gzip, by: size, piece: piece) == text)
  }

  @Test func `deflate is understood with and without zlib's frame (RFC 9110 §8.4.1.2)`() throws {
    #expect(try inflate(deflate(text, .zlib), as: .deflate) == text)
    #expect(try inflate(deflate(text, .raw), as: .deflate) == text)
  }

  @Test func `several gzip members are one body (RFC 1952 §2.2)`() throws {
    #expect(try inflate(deflate(text, .gzip) + deflate(text, .gzip), as: .gzip) == text + text)
  }

  @Test func `an empty body is empty`() throws {
    #expect(try inflate(Data(), as: .gzip).isEmpty)
  }

  @Test func `what is no gzip is refused in words`() {
    #expect {
      try inflate(Data("plain text".utf8), as: .gzip)
    } throws: { error in
      (error as? MartletError)?.message
        == "The body is marked as gzip but cannot be decompressed: incorrect header check."
    }
  }

  @Test func `a body cut short is refused`() {
    #expect {
      try inflate(deflate(text, .gzip).dropLast(9), as: .gzip)
    } throws: { error in
      (error as? MartletError)?.message
        == "The body is marked as gzip but cannot be decompressed: it ends too early."
    }
  }

  @Test func `a body that swells without end is given up`() throws {
    let bomb = try deflate(Data(count: 64 << 20), .gzip)
    #expect {
      try inflate(bomb, as: .gzip, of: 1 << 20)
    } throws: { error in
      (error as? MartletError)?.message
        == "The gzip body was given up because it grew beyond 1048576 bytes: raise the limits of decompression if the server is to be trusted."
    }
    #expect {
      try inflate(bomb, as: .gzip, ratio: 100)
    } throws: { ($0 as? MartletError)?.code == .decompressionLimitExceeded }
  }

  private func inflate(
    _ data: Data, as coding: InflateDecoder.Coding, by size: Int = .max, of limit: Int = 1 << 30,
    ratio: Int = 2000, piece largest: Int = 256 << 10
  ) throws -> Data {
    var limits = DecompressionInterceptor.Limits()
    limits.ratio = ratio
    let decoder = InflateDecoder(coding, limits, size: limit)
    var output = Data()
    var rest = data[...]
    while !rest.isEmpty {
      let part = rest.prefix(size)
      rest = rest.dropFirst(part.count)
      var input = ByteBuffer(bytes: part)
      while let piece = try decoder.decode(&input, upTo: largest) {
        #expect((1...largest).contains(piece.readableBytes))
        output += Data(piece.readableBytesView)
      }
      #expect(input.readableBytes == 0)
    }
    try decoder.finish()
    return output
  }

  private func deflate(_ data: Data, _ format: Deflate.Format) throws -> Data {
    Data(try Deflate.compressed(ByteBuffer(bytes: data), as: format).readableBytesView)
  }
}
