import Foundation
import HTTPTypes
import Martlet
import MartletImages
import NIOCore
import Testing

@testable import MartletTool

/// Bodies that are pictures.
@Suite(.timeLimit(.minutes(5)))
struct PictureBodyTests {
  /// Takes the bytes themselves for pixels, four for each.
  private struct RawDecoder: ImageDecoder {
    func header(of data: Data) throws -> ImageHeader {
      ImageHeader(width: data.count / 4, height: 1)
    }

    func pixels(of data: Data) throws -> Pixels {
      try #require(Pixels(width: data.count / 4, height: 1, bytes: Array(data)))
    }
  }

  private let picture = "GIF89a\u{1B}]0;evil\u{7}!"
  private let printer = ImagePrinter(graphics: .blocks, columns: 80, decoder: RawDecoder())

  /// What is written of a body.
  private func written(_ body: String, type: String, pictures: ImagePrinter?) async throws
    -> String
  {
    let file = FileManager.default.temporaryDirectory.appending(path: "martlet-\(UUID())")
    let descriptor = open(file.path, O_RDWR | O_CREAT | O_EXCL, 0o600)
    try #require(descriptor >= 0)
    defer {
      close(descriptor)
      try? FileManager.default.removeItem(at: file)
    }
    let response = Response(
      head: ResponseHead(status: .ok, headers: [.contentType: type]),
      url: URL(fileURLWithPath: "/"), body: ResponseBody(bytes: ByteBuffer(string: body)))
    let text = BodyText(BodyType(response), palette: .plain, pictures: pictures)
    try await BodyPrinter(output: OutputHandle(descriptor: descriptor), reading: text)
      .copy(response.body)
    return try String(contentsOf: file, encoding: .utf8)
  }

  @Test func `a picture is shown, and none of its bytes reaches the terminal as it is`()
    async throws
  {
    let text = try await written(picture, type: "image/gif", pictures: printer)
    #expect(text.hasSuffix("▀\u{1B}[0m\n") || text.hasSuffix(" \u{1B}[0m\n"))
    #expect(!text.contains("evil") && !text.contains("\u{7}") && !text.contains("GIF"))
  }

  @Test func `what says it is a picture, and is none, is shown as before`() async throws {
    #expect(try await written("<svg/>", type: "image/svg+xml", pictures: printer) == "<svg/>\n")
    #expect(
      try await written("\0\0", type: "image/gif", pictures: printer)
        == "(The body is not text: save it with --output, or send it to a pipe.)\n")
  }

  @Test func `where nothing decodes pictures, they are shown as before`() async throws {
    #expect(
      try await written("GIF89a\0", type: "image/gif", pictures: nil)
        == "(The body is not text: save it with --output, or send it to a pipe.)\n")
    #expect(ImagePrinter(OutputHandle(descriptor: -1)) == nil)
  }

  @Test func `a picture that is sent as something else is not shown as one`() async throws {
    let text = try await written("GIF89a", type: "text/plain", pictures: printer)
    #expect(text == "GIF89a\n")
  }
}
