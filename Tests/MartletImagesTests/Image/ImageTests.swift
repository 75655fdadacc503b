import Foundation
import Martlet
import MartletImages
import MartletTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ImageTests {
  @Test func `an image is as large as its pixels divided by its scale`() throws {
    let image = try RasterImage(Data("6x4".utf8), decoder: StubDecoder(), scale: 2)
    #expect((image.pixelWidth, image.pixelHeight) == (6, 4))
    #expect((image.width, image.height) == (3, 2))
  }

  @Test func `pixels are decoded on first use`() throws {
    let image = try RasterImage(Data("6x4".utf8), decoder: StubDecoder())
    #expect(!image.isInflated)
    #expect(try image.pixels().bytes.count == 96)
    #expect(image.isInflated)
  }

  /// Decodes when it is let.
  private struct SlowDecoder: ImageDecoder {
    let begun = AwaitableValue(false)
    let gate = DispatchSemaphore(value: 0)

    func header(of data: Data) throws -> ImageHeader { try StubDecoder().header(of: data) }

    func pixels(of data: Data) throws -> Pixels {
      begun.update { $0 = true }
      gate.wait()
      return try StubDecoder().pixels(of: data)
    }
  }

  @Test func `whether an image is decoded is known while it is being decoded, which is done once`()
    async throws
  {
    let decoder = SlowDecoder()
    defer { decoder.gate.signal() }
    let image = try RasterImage(Data("6x4".utf8), decoder: decoder)
    let (decoded, answer) = (AwaitableValue(0), AwaitableValue<Bool?>(nil))
    for _ in 0..<2 {
      Thread.detachNewThread {
        if (try? image.pixels()) != nil { decoded.update { $0 += 1 } }
      }
    }
    try await decoder.begun.wait { $0 }
    Thread.detachNewThread {
      let isInflated = image.isInflated
      answer.update { $0 = isInflated }
    }
    try await answer.wait(within: .seconds(30)) { _ in
      "It was not known within 30 s."
    } until: {
      $0 != nil
    }
    #expect(answer.current == false)
    // One signal for two threads.
    decoder.gate.signal()
    try await decoded.wait { $0 == 2 }
    #expect(image.isInflated)
  }

  @Test func `copies are identical, equal images are not`() throws {
    let image = try RasterImage(Data("6x4".utf8), decoder: StubDecoder())
    let copy = image
    #expect(image.isIdentical(to: copy))
    #expect(try !image.isIdentical(to: RasterImage(image.data, decoder: StubDecoder())))
  }
}
