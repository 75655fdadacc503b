public import NIOCore

/// A request as a scripted server received it.
public struct ReceivedRequest: Sendable {
  /// The request line, such as `GET /x HTTP/1.1`.
  public var line: String
  /// The lines of the header section, in order and with their original spelling.
  public var headerLines: [String]
  /// The body, without chunk framing.
  public var body: ByteBuffer
  /// The number of the connection, from 0.
  public var connection: Int

  /// The method of the request line.
  public var method: String { String(line.prefix { $0 != " " }) }

  /// The target of the request line, usually path and query.
  public var target: String {
    let parts = line.split(separator: " ", omittingEmptySubsequences: false)
    return parts.count > 1 ? String(parts[1]) : ""
  }

  /// The body as text.
  public var text: String { String(buffer: body) }

  /// The value of the first header field with this name, ignoring case; `nil` if there is none.
  public func header(_ name: String) -> String? {
    values(of: name).first
  }

  /// The values of all header fields with this name, ignoring case.
  public func values(of name: String) -> [String] {
    let name = name.lowercased()
    return headerLines.compactMap { line in
      guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")),
        line[..<colon].lowercased() == name
      else { return nil }
      let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      return String(value)
    }
  }
}

/// Finds the requests in the bytes from a client, and parses only what is needed to find the end of each.
///
/// It does not validate them: tests can examine the recorded bytes.
struct RequestReader: Sendable {
  private(set) var complete: [ReceivedRequest] = []
  /// How many heads have arrived, including those of complete requests.
  private(set) var heads = 0

  private let connection: Int
  private var rest = ByteBuffer()
  private var current: Current?

  private struct Current: Sendable {
    var request: ReceivedRequest
    var framing: Framing
  }

  private enum Framing: Sendable {
    case bytes(Int)
    case chunks
    case trailers
  }

  init(connection: Int) {
    self.connection = connection
  }

  mutating func receive(_ bytes: ByteBuffer) {
    rest.writeImmutableBuffer(bytes)
    while advance() {}
    rest.discardReadBytes()
  }

  /// Advances by one step; returns false when more bytes are needed.
  private mutating func advance() -> Bool {
    guard var current else { return readHead() }
    self.current = nil
    let isFurther: Bool
    switch current.framing {
    case .bytes(let count): isFurther = readBytes(count, of: &current)
    case .chunks: isFurther = readChunk(of: &current)
    case .trailers: isFurther = readTrailer(of: current)
    }
    if !isFurther { self.current = current }
    return isFurther
  }

  private mutating func readHead() -> Bool {
    guard let end = rest.position(of: "\r\n\r\n"), let head = rest.readString(length: end) else {
      return false
    }
    rest.moveReaderIndex(forwardBy: 4)
    var lines = head.split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
    let request = ReceivedRequest(
      line: lines.removeFirst(), headerLines: lines, body: ByteBuffer(), connection: connection)
    let isChunked = request.header("transfer-encoding")?.lowercased().contains("chunked") ?? false
    let length = request.header("content-length").flatMap { Int($0) } ?? 0
    heads += 1
    current = Current(request: request, framing: isChunked ? .chunks : .bytes(max(0, length)))
    return true
  }

  private mutating func readBytes(_ count: Int, of current: inout Current) -> Bool {
    guard let body = rest.readSlice(length: count) else { return false }
    current.request.body = body
    complete.append(current.request)
    return true
  }

  private mutating func readChunk(of current: inout Current) -> Bool {
    guard let end = rest.position(of: "\r\n"),
      let line = rest.getString(at: rest.readerIndex, length: end)
    else { return false }
    let size = Int(line.prefix { $0 != ";" && $0 != " " }, radix: 16) ?? 0
    guard size > 0 else {
      rest.moveReaderIndex(forwardBy: end + 2)
      current.framing = .trailers
      self.current = current
      return true
    }
    guard rest.readableBytes - end - 4 >= size else { return false }
    rest.moveReaderIndex(forwardBy: end + 2)
    if let chunk = rest.readSlice(length: size) { current.request.body.writeImmutableBuffer(chunk) }
    rest.moveReaderIndex(forwardBy: 2)
    self.current = current
    return true
  }

  private mutating func readTrailer(of current: Current) -> Bool {
    guard let end = rest.position(of: "\r\n") else { return false }
    rest.moveReaderIndex(forwardBy: end + 2)
    if end == 0 {
      complete.append(current.request)
    } else {
      self.current = current
    }
    return true
  }
}

extension ByteBuffer {
  /// The offset from the reader index to the next occurrence of `text`; `nil` if there is none.
  fileprivate func position(of text: StaticString) -> Int? {
    let view = readableBytesView
    let wanted = text.withUTF8Buffer { Array($0) }
    var start = view.startIndex
    while let first = view[start...].firstIndex(of: wanted[0]) {
      if view[first...].starts(with: wanted) { return first - view.startIndex }
      start = first + 1
    }
    return nil
  }
}
