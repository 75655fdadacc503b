import HTTPTypes
import MartletCore
import NIOCore

/// Turns the bytes of one connection into the parts of its responses (RFC 9112).
///
/// A pure value: it keeps incomplete input, and only interprets bytes. Call `begin` for each request. Pass received
/// bytes to `append`, then call `next` until it returns `nil`. Call `finish` when the connection has ended.
struct ResponseParser {
  /// A part of a response, in the order head, body…, end.
  enum Part {
    /// An interim response.
    case informational(ResponseHead)
    /// The head of the final response.
    case head(ResponseHead)
    /// The head after which the connection no longer uses HTTP.
    case switched(ResponseHead)
    /// Bytes of the body.
    case body(ByteBuffer)
    /// The end of the response, with its trailers.
    case end(trailers: HTTPFields?)
  }

  private enum State {
    /// Between two responses.
    case idle
    case head
    case body(BodyReader)
  }

  /// Whether the connection may be used again after the current response.
  private(set) var isPersistent = true
  /// How the current response's body ends.
  private(set) var framing = BodyFraming.none
  /// How many bytes of the current response's body have been returned.
  private(set) var bodyBytes: Int64 = 0

  private let headLimit: Int
  private var state = State.idle
  private var method = HTTPRequest.Method.get
  /// The bytes that have arrived and are not parsed yet.
  private(set) var pending = ByteBuffer()
  private var section: FieldSection
  private var headCache = HeadCache()
  /// Whether a head has been read, be it an interim one.
  private var hasReadHead = false
  /// The size of the interim responses so far, in bytes.
  private var interimSize = 0

  /// - Parameter headLimit: The maximum size of a head, or of trailers, in bytes.
  init(headLimit: Int) {
    self.headLimit = headLimit
    section = FieldSection(limit: headLimit)
  }

  /// Prepares for the response to a request with `method`.
  mutating func begin(_ method: HTTPRequest.Method) {
    self.method = method
    state = .head
    isPersistent = true
    bodyBytes = 0
    section = FieldSection(limit: headLimit)
    hasReadHead = false
    interimSize = 0
    // An empty remainder would keep the whole read buffer alive.
    if pending.readableBytes == 0 { pending = ByteBuffer() }
  }

  /// Whether the response begins like one of HTTP/1, as far as it has arrived. It is also known after an error.
  var beginsAsHTTP: Bool { hasReadHead || HeadParser.hasVersion(pending) }

  /// The length of the current response's body, if its framing states it.
  var bodyLength: Int64? {
    switch framing {
    case .none: 0
    case .length(let length): length
    case .chunked, .untilClose: nil
    }
  }

  /// Whether bytes have arrived that belong to no expected response.
  var hasSurplus: Bool { pending.readableBytes > 0 }

  /// Removes and returns the bytes that are not part of a response.
  mutating func takeSurplus() -> ByteBuffer {
    defer { pending = ByteBuffer() }
    return pending
  }

  /// Adds bytes that the connection has received.
  mutating func append(_ bytes: ByteBuffer) {
    if pending.readableBytes == 0 {
      pending = bytes
    } else {
      // Parsed bytes would otherwise stay in the buffer, indefinitely if each read ends within a line.
      pending.discardReadBytes()
      pending.writeImmutableBuffer(bytes)
    }
  }

  /// Returns the next part, or `nil` if more bytes are needed.
  ///
  /// - Throws: `MartletError` with code `.malformedResponse` or `.headTooLarge`. The connection cannot be used after
  ///   that.
  mutating func next() throws(MartletError) -> Part? {
    switch state {
    case .idle: return nil
    case .head: return try nextHead()
    case .body(var body):
      let part = try body.next(&pending)
      state = .body(body)
      return part.map { handle($0) }
    }
  }

  private mutating func handle(_ part: BodyReader.Part) -> Part {
    switch part {
    case .data(let data):
      bodyBytes += Int64(data.readableBytes)
      return .body(data)
    case .end(let trailers):
      state = .idle
      return .end(trailers: trailers)
    }
  }

  /// Handles the end of the connection.
  ///
  /// - Returns: The end of the response, if the end of the connection completes the body; `nil` if no final response
  ///   was under way.
  /// - Throws: `MartletError` with code `.bodyTruncated` when the body was not complete, and `.malformedResponse` when
  ///   the head was not complete.
  mutating func finish() throws(MartletError) -> Part? {
    isPersistent = false
    switch state {
    case .idle: return nil
    case .head:
      guard pending.readableBytes > 0 else { return nil }
      throw .malformedResponse("the connection ended within its head")
    case .body(let body):
      try body.finish(received: bodyBytes)
      state = .idle
      return .end(trailers: nil)
    }
  }

  // MARK: Head

  private mutating func nextHead() throws(MartletError) -> Part? {
    let before = pending.readableBytes
    guard let parsed = try section.nextHead(&pending, &headCache) else { return nil }
    hasReadHead = true
    return try begin(parsed, size: before - pending.readableBytes)
  }

  private mutating func begin(_ parsed: HeadParser.Head, size: Int) throws(MartletError) -> Part {
    let head = parsed.head
    // RFC 9112 §6.3 #2 — what follows is not a body, whatever the fields say.
    let isTunnel = method.requestsTunnel && head.status.kind == .successful
    if isTunnel || head.status.code == 101 {
      state = .idle
      isPersistent = false
      return .switched(head)
    }
    guard head.status.code >= 200 else { return try interim(head, size: size) }
    framing = try BodyFraming(parsed, answering: method)
    isPersistent = parsed.allowsReuse(after: framing)
    state = .body(BodyReader(framing, trailerLimit: headLimit))
    return .head(head)
  }

  private mutating func interim(_ head: ResponseHead, size: Int) throws(MartletError) -> Part {
    interimSize += size
    guard interimSize <= headLimit else { throw .interimResponsesTooLarge(limit: headLimit) }
    return .informational(head)
  }
}
