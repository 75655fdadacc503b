import EssentialFoundation
import MartletEssentials
import MartletImages

/// Shows images on a terminal.
///
/// A server's bytes are never written to the terminal. The printer writes the decoded colours, as numbers or as a PNG
/// file that it encodes itself.
struct ImagePrinter {
  let graphics: TerminalGraphics
  let columns: Int
  let decoder: any ImageDecoder
  let encoder: any ImageEncoder

  /// Images of more bytes than this are not shown.
  static let largestFile = 32 << 20
  /// The assumed maximum width of a column in pixels, for terminals that scale images.
  private static let pixelsPerColumn = 16

  /// The printer for a terminal; `nil` if images cannot be decoded or cannot be shown.
  init?(_ output: OutputHandle) {
    // Reading `formats` makes the library read its list of loaders, so it is the last condition.
    guard output.isTerminal,
      let graphics = TerminalGraphics(environment: ProcessInfo.processInfo.environment),
      !SystemImageDecoder.formats.isEmpty
    else { return nil }
    self.init(graphics: graphics, columns: output.columns)
  }

  init(
    graphics: TerminalGraphics, columns: Int, decoder: any ImageDecoder = SystemImageDecoder(),
    encoder: any ImageEncoder = SystemImageEncoder()
  ) {
    self.graphics = graphics
    self.columns = columns
    self.decoder = decoder
    self.encoder = encoder
  }

  /// The text that shows an image, or the reason why it cannot be shown; `nil` when its format is not known.
  func text(orReasonFor data: Data) -> String? {
    guard ImageFormat(of: data) != nil else { return nil }
    do {
      return try text(of: data)
    } catch {
      let reason = (error as? MartletError)?.message ?? "The image cannot be shown."
      return "(\(reason) Save it with --output, or send it to a pipe.)\n"
    }
  }

  /// The text that shows an image, with a line break at its end.
  ///
  /// - Throws: `MartletError` when the image cannot be decoded, or cannot be encoded as PNG.
  func text(of data: Data) throws -> String {
    let pixels = try RasterImage(data, decoder: decoder).pixels()
    switch graphics {
    case .blocks:
      let fit = ImageFit(width: pixels.width, height: pixels.height, columns: columns)
      let scaled = pixels.scaled(toWidth: fit.columns, height: fit.halfRows) ?? pixels
      return HalfBlocks.lines(scaled).map { $0 + "\n" }.joined()
    case .kitty:
      let sharp = ImageFit(
        width: pixels.width, height: pixels.height, columns: columns * Self.pixelsPerColumn)
      let scaled = pixels.scaled(toWidth: sharp.columns, height: sharp.halfRows) ?? pixels
      let png = try encoder.data(of: scaled, as: .png)
      // A column is about eight pixels wide.
      return KittyGraphics.sequences(png: png, columns: min(columns, max(scaled.width / 8, 1)))
        + "\n"
    }
  }
}
