import EssentialFoundation
import MartletEssentials
import NIOCore

/// Formats a body for a terminal: JSON with indentation, images, and text decoded by its charset.
///
/// It takes the body chunk by chunk. Bytes of the body reach the terminal only as text in which characters that control
/// a terminal are escaped.
struct BodyText {
  private let type: BodyType
  private let palette: Palette
  private let pictures: ImagePrinter?
  /// The bytes that have arrived and are not shown yet; `nil` once the first ones are shown.
  private var start: ByteBuffer? = ByteBuffer()
  private var reader: TextReader
  private var last: Unicode.Scalar?
  /// Whether the rest of the body is not shown.
  private(set) var isOver = false

  /// JSON of more bytes than this is not formatted.
  private static let longestJSON = 4 << 20

  /// - Parameters:
  ///   - type: The type of the body.
  ///   - palette: The colours of the terminal.
  ///   - pictures: The printer for images; `nil` if they cannot be shown.
  init(_ type: BodyType, palette: Palette, pictures: ImagePrinter?) {
    self.type = type
    self.palette = palette
    self.pictures = pictures
    reader = TextReader(charset: type.charset)
  }

  /// The text to show for the next bytes.
  mutating func take(_ chunk: ByteBuffer) -> String {
    guard !isOver else { return "" }
    guard start != nil else {
      return rememberingLast(shown(reader.read(chunk.readableBytesView)))
    }
    start?.writeImmutableBuffer(chunk)
    guard let start, start.readableBytes > longestWhole else { return "" }
    self.start = nil
    return rememberingLast(shown(reader.read(start.readableBytesView)))
  }

  /// The text to show at the end of the body.
  mutating func finish() -> String {
    defer { isOver = true }
    let text = rememberingLast(start.map { whole($0) } ?? shown(reader.finish()))
    return last == nil || last == "\n" ? text : text + "\n"
  }

  /// How many bytes of a body are read before the first ones are shown.
  private var longestWhole: Int {
    if type.isJSON { return Self.longestJSON }
    return type.isPicture && pictures != nil ? ImagePrinter.largestFile : 0
  }

  private mutating func whole(_ body: ByteBuffer) -> String {
    if type.isPicture, let picture = pictures?.text(orReasonFor: Data(body.readableBytesView)) {
      return picture
    }
    let text = reader.read(body.readableBytesView) + reader.finish()
    guard type.isJSON, let pretty = JSONPrinter(palette: palette).print(Array(text.utf8)) else {
      return shown(text)
    }
    return String(decoding: pretty, as: UTF8.self)
  }

  /// The text as it is shown. If the first text of a body has a NUL character, the body is not text.
  private mutating func shown(_ text: String) -> String {
    guard last == nil, text.unicodeScalars.contains("\0") else { return text.visibleLines }
    isOver = true
    return "(The body is not text: save it with --output, or send it to a pipe.)\n"
  }

  private mutating func rememberingLast(_ text: String) -> String {
    last = text.unicodeScalars.last ?? last
    return text
  }
}

/// The type of a body, as its header fields declare it.
struct BodyType: Equatable {
  /// The media type without parameters, in lower case.
  var mimeType: String?
  /// The charset that the media type names, in lower case.
  var charset: String?

  init(mimeType: String?, charset: String? = nil) {
    self.mimeType = mimeType
    self.charset = charset
  }

  /// The type in the fields of a response.
  init(_ response: Response) {
    self.init(mimeType: response.mimeType, charset: response.charset)
  }

  /// The type in the fields of a request.
  init(_ request: Request) {
    let head = ResponseHead(status: .ok, headers: request.headers)
    self.init(Response(head: head, url: request.url))
  }

  /// Whether the body is declared as an image.
  var isPicture: Bool { mimeType?.hasPrefix("image/") ?? false }

  /// Whether the body is declared as JSON (RFC 6839 §3.1).
  var isJSON: Bool { mimeType.map { $0.hasSuffix("/json") || $0.hasSuffix("+json") } ?? false }
}
