import Foundation
import Martlet
import MartletImages
import Testing

@testable import MartletTool

/// Pictures on a terminal.
struct PictureTests {
  /// Paints what the data says: four bytes for each pixel of two columns.
  private struct TwoColumns: ImageDecoder {
    func header(of data: Data) throws -> ImageHeader {
      ImageHeader(width: 2, height: data.count / 8)
    }

    func pixels(of data: Data) throws -> Pixels {
      try #require(Pixels(width: 2, height: data.count / 8, bytes: Array(data)))
    }
  }

  private struct NamedEncoder: ImageEncoder {
    func data(of pixels: Pixels, as encoding: ImageOutputFormat) throws -> Data {
      Data("\(pixels.width)x\(pixels.height) \(encoding)".utf8)
    }
  }

  private let red: [UInt8] = [255, 0, 0, 255]
  private let blue: [UInt8] = [0, 0, 255, 255]
  private let clear: [UInt8] = [0, 0, 0, 0]

  @Test func `two pixels, one above the other, are a character in two colours`() throws {
    let pixels = try #require(Pixels(width: 1, height: 2, bytes: red + blue))
    #expect(HalfBlocks.lines(pixels) == ["\u{1B}[38;2;255;0;0;48;2;0;0;255m▀\u{1B}[0m"])
  }

  @Test func `colours are set once for characters that are alike`() throws {
    let pixels = try #require(Pixels(width: 2, height: 2, bytes: red + red + blue + blue))
    #expect(HalfBlocks.lines(pixels) == ["\u{1B}[38;2;255;0;0;48;2;0;0;255m▀▀\u{1B}[0m"])
  }

  @Test func `what is transparent, or missing, shows the background`() throws {
    let pixels = try #require(
      Pixels(width: 2, height: 3, bytes: red + clear + clear + blue + red + clear))
    #expect(
      HalfBlocks.lines(pixels) == [
        "\u{1B}[0;38;2;255;0;0m▀\u{1B}[0;38;2;0;0;255m▄\u{1B}[0m",
        "\u{1B}[0;38;2;255;0;0m▀\u{1B}[0m \u{1B}[0m",
      ])
  }

  @Test(arguments: [
    (100, 50, 80, 80, 40), (40, 20, 80, 40, 20), (1, 1, 80, 1, 1), (1000, 1, 80, 80, 1),
    (10, 1000, 80, 1, 40),
  ])
  func `a picture keeps its proportions, and fits`(
    width: Int, height: Int, columns: Int, fitting: Int, halfRows: Int
  ) {
    let fit = ImageFit(width: width, height: height, columns: columns)
    #expect((fit.columns, fit.halfRows) == (fitting, halfRows))
  }

  @Test func `a smaller picture has the means of the pixels`() throws {
    let pixels = try #require(Pixels(width: 2, height: 2, bytes: red + blue + red + blue))
    #expect(pixels.scaled(toWidth: 1, height: 1)?.bytes == [127, 0, 127, 255])
    #expect(pixels.scaled(toWidth: 2, height: 1)?.bytes == red + blue)
  }

  @Test func `kitty gets a PNG in pieces of 4096 characters of base64`() {
    let small = KittyGraphics.sequences(png: Data("abc".utf8), columns: 7)
    #expect(small == "\u{1B}_Ga=T,f=100,q=2,c=7,m=0;YWJj\u{1B}\\")
    let large = KittyGraphics.sequences(png: Data(count: 3072 + 3), columns: 7)
    let zeros = String(repeating: "A", count: 4096)
    #expect(large == "\u{1B}_Ga=T,f=100,q=2,c=7,m=1;\(zeros)\u{1B}\\\u{1B}_Gm=0;AAAA\u{1B}\\")
  }

  @Test(
    arguments: [
      (["TERM": "xterm-kitty"], .kitty), (["TERM": "xterm-256color"], .blocks), ([:], .blocks),
      (["TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"], .kitty),
      (["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"], .kitty),
      (["TERM": "xterm-ghostty"], .kitty),
      (["TERM": "tmux-256color", "KITTY_WINDOW_ID": "1"], .blocks),
      (["TERM": "xterm-256color", "TERM_PROGRAM": "ghostty", "TMUX": "/tmp/tmux,1,0"], .blocks),
      (["TERM": "dumb"], nil), (["TERM": "xterm-kitty", "NO_COLOR": "1"], nil),
      (["TERM": "xterm-kitty", "NO_COLOR": ""], .kitty),
    ] as [([String: String], TerminalGraphics?)])
  func `the environment says how a terminal shows pictures`(
    environment: [String: String], graphics: TerminalGraphics?
  ) {
    #expect(TerminalGraphics(environment: environment) == graphics)
  }

  @Test func `a picture that is broken is said to be, and what is none is left to others`() {
    let printer = ImagePrinter(graphics: .blocks, columns: 80)
    #expect(
      printer.text(orReasonFor: Data("GIF89a".utf8))
        == "(The response could not be decoded as an image: it is cut off. Save it with --output, or send it to a pipe.)\n"
    )
    #expect(printer.text(orReasonFor: Data("<svg/>".utf8)) == nil)
  }

  @Test func `a picture is decoded, made to fit, and shown`() throws {
    let blocks = ImagePrinter(graphics: .blocks, columns: 80, decoder: TwoColumns())
    let data = Data(red + red + blue + blue)
    #expect(try blocks.text(of: data) == "\u{1B}[38;2;255;0;0;48;2;0;0;255m▀▀\u{1B}[0m\n")
    let kitty = ImagePrinter(
      graphics: .kitty, columns: 80, decoder: TwoColumns(), encoder: NamedEncoder())
    let png = Data("2x2 png".utf8).base64EncodedString()
    #expect(try kitty.text(of: data) == "\u{1B}_Ga=T,f=100,q=2,c=1,m=0;\(png)\u{1B}\\\n")
  }
}
