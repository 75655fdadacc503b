import EssentialFoundation
import MartletEssentials
import NIOCore

/// What a terminal shows of a body: JSON laid out, pictures, text in its charset, and nothing else.
///
/// It takes the body chunk by chunk. Bytes get to the terminal only as text in which nothing is left that the
/// terminal would obey.
struct BodyText {
  private let type: BodyType
  private let palette: Palette
  private let pictures: ImagePrinter?
  /// What has arrived and is not shown yet; `nil` once something is.
  private var start: ByteBuffer? = ByteBuffer()
  private var reader: TextReader
  private var last: Unicode.Scalar?
  /// Whether nothing more is shown, whatever follows.
  private(set) var isOver = false

  /// JSON beyond this is not laid out.
  private static let longestJSON = 4 << 20

  /// - Parameters:
  ///   - type: What kind of body it is.
  ///   - palette: The colours of the terminal.
  ///   - pictures: Shows pictures; `nil` where nothing can.
  init(_ type: BodyType, palette: Palette, pictures: ImagePrinter?) {
    self.type = type
    self.palette = palette
    self.pictures = pictures
    reader = TextReader(charset: type.charset)
  }

  /// What to show of the next bytes.
  mutating func take(_ chunk: ByteBuffer) -> String {
    guard !isOver else { return "" }
    guard start != nil else {
      return noting(reader.read(chunk.readableBytesView).visibleLines)
    }
    start?.writeImmutableBuffer(chunk)
    guard let start, start.readableBytes > longestWhole else { return "" }
    self.start = nil
    return noting(shown(reader.read(start.readableBytesView)))
  }

  /// What to show when there are no more bytes.
  mutating func finish() -> String {
    defer { isOver = true }
    let text = noting(start.map { whole($0) } ?? reader.finish().visibleLines)
    return last == nil || last == "\n" ? text : text + "\n"
  }

  /// How much of a body is read before any of it is shown.
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

  private mutating func shown(_ text: String) -> String {
    guard text.unicodeScalars.contains("\0") else { return text.visibleLines }
    isOver = true
    return "(The body is no text: save it with --output, or send it to a pipe.)\n"
  }

  private mutating func noting(_ text: String) -> String {
    last = text.unicodeScalars.last ?? last
    return text
  }
}

/// What kind of body the header fields announce.
struct BodyType: Equatable {
  /// The media type without parameters, in lower case.
  var mimeType: String?
  /// The charset that the media type names, in lower case.
  var charset: String?

  init(mimeType: String?, charset: String? = nil) {
    self.mimeType = mimeType
    self.charset = charset
  }

  /// What the fields of a response say.
  init(_ response: Response) {
    self.init(mimeType: response.mimeType, charset: response.charset)
  }

  /// What the fields of a request say.
  init(_ request: Request) {
    let head = ResponseHead(status: .ok, headers: request.headers)
    self.init(Response(head: head, url: request.url))
  }

  /// Whether the body claims to be a picture.
  var isPicture: Bool { mimeType?.hasPrefix("image/") ?? false }

  /// Whether the body claims to be JSON (RFC 6839 §3.1).
  var isJSON: Bool { mimeType.map { $0.hasSuffix("/json") || $0.hasSuffix("+json") } ?? false }
}
