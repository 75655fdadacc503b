import Martlet
import NIOCore
import Testing

@testable import MartletTool

/// Bodies as a terminal shows them.
struct BodyTextTests {
  private func shown(_ chunks: String..., type: BodyType, palette: Palette = .plain) -> String {
    var text = BodyText(type, palette: palette, pictures: nil)
    return chunks.map { text.take(ByteBuffer(string: $0)) }.joined() + text.finish()
  }

  private static let plain = BodyType(mimeType: "text/plain")
  private static let json = BodyType(mimeType: "application/problem+json")

  @Test func `text ends with its line`() {
    #expect(shown("a", type: Self.plain) == "a\n")
    #expect(shown("a\n", type: Self.plain) == "a\n")
    #expect(shown("a", "\n", "b", type: Self.plain) == "a\nb\n")
    #expect(shown(type: Self.plain) == "")
    #expect(shown("", "", type: Self.plain) == "")
  }

  @Test func `escape sequences are shown, wherever the network cuts them`() {
    #expect(
      shown("\u{1B}]0;evil", "\u{7}\u{1B}", "[2J", type: Self.plain)
        == "\\u{1b}]0;evil\\u{7}\\u{1b}[2J\n")
    #expect(shown("a\r", "\nb\r", "c", type: Self.plain) == "a\r\nb\\u{d}c\n")
  }

  @Test func `JSON is laid out, and what a terminal would obey becomes an escape of JSON`() {
    #expect(
      shown("{\"a\u{9B}\"", ":\"\u{202E}\\u001b\"}", type: Self.json)
        == "{\n  \"a\\u009b\": \"\\u202e\\u001b\"\n}\n")
    #expect(
      shown("[\"\u{7F}\"]", type: Self.json, palette: .coloured)
        == "[\n  \u{1B}[32m\"\\u007f\"\u{1B}[0m\n]\n")
  }

  @Test func `what only claims to be JSON is text`() {
    #expect(shown("{\"a\":\"\u{1B}[2J\"}", type: Self.json) == "{\"a\":\"\\u{1b}[2J\"}\n")
  }

  @Test func `JSON that is too long is text`() {
    let long = "[" + String(repeating: " ", count: 4 << 20)
    let text = shown(long, "\u{1B}", "1]", type: Self.json)
    #expect(text == long + "\\u{1b}1]\n")
  }

  @Test func `a charset is honoured`() {
    var text = BodyText(
      BodyType(mimeType: "text/plain", charset: "iso-8859-1"), palette: .plain, pictures: nil)
    // 0x9B is CSI to a terminal that reads Latin-1.
    #expect(text.take(ByteBuffer(bytes: [0x47, 0xFC, 0x9B, 0x0A])) == "Gü\\u{9b}\n")
    var json = BodyText(
      BodyType(mimeType: "application/json", charset: "utf-16"), palette: .plain, pictures: nil)
    #expect(json.take(ByteBuffer(bytes: [0x5B, 0, 0x31, 0, 0x5D, 0])) == "")
    #expect(json.finish() == "[\n  1\n]\n")
  }

  @Test func `what is no text is not shown`() {
    let note = "(The body is not text: save it with --output, or send it to a pipe.)\n"
    #expect(shown("a\0", "b", type: Self.plain) == note)
    #expect(shown("\0", type: Self.json) == note)
  }

  @Test(
    arguments: [
      [[0, 1]], [[0], [1]], [[0], [1, 2, 3, 4]], [[0xFF, 0]], [[0xEF], [0]],
    ] as [[[UInt8]]])
  func `what is no text is not shown, even if its first bytes could be a byte-order mark`(
    chunks: [[UInt8]]
  ) {
    var text = BodyText(Self.plain, palette: .plain, pictures: nil)
    let shown = chunks.map { text.take(ByteBuffer(bytes: $0)) }.joined() + text.finish()
    #expect(shown == "(The body is not text: save it with --output, or send it to a pipe.)\n")
  }

  @Test func `the type is that of the header fields`() throws {
    let head = ResponseHead(
      status: .ok, headers: [.contentType: "Text/HTML; Charset=\"ISO-8859-1\""])
    let response = Response(head: head, url: try Request(.get, "http://h/").url)
    #expect(BodyType(response) == BodyType(mimeType: "text/html", charset: "iso-8859-1"))
    let request = try Request(.post, "http://h/", headers: [.contentType: "application/json"])
    #expect(BodyType(request).isJSON && !BodyType(request).isPicture)
  }
}
