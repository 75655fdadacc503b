import HTTPTypes
import MartletCore
import NIOCore

/// Turns the bytes of one connection into the parts of its responses (RFC 9112).
///
/// A pure value: it keeps what is not complete yet and decides nothing but what the bytes mean. Feed
/// it with `append`, then take parts until there are none; say `finish` when the connection has ended.
struct ResponseParser {
  /// A part of a response, in the order head, body…, end.
  enum Part {
    /// An interim response.
    case informational(ResponseHead)
    /// The head of the final response.
    case head(ResponseHead)
    /// Some of its body.
    case body(ByteBuffer)
    /// The end of the response, with the fields that followed it.
    case end(trailers: HTTPFields?)
  }

  private enum State {
    /// Between two responses.
    case idle
    case head
    case length(left: Int64)
    case chunked(ChunkedBody)
    case untilClose
    case complete
  }

  /// What the connection may be used for after the present response.
  private(set) var isPersistent = true
  /// How the present response's body ends.
  private(set) var framing = BodyFraming.none
  /// How many bytes of the present response's body have been handed out.
  private(set) var bodyBytes: Int64 = 0

  private let headLimit: Int
  private var state = State.idle
  private var method = HTTPRequest.Method.get
  private var pending = ByteBuffer()
  private var scanned = 0
  private var interimResponses = 0

  /// - Parameter headLimit: The most bytes that a head, or trailers, may have.
  init(headLimit: Int) {
    self.headLimit = headLimit
  }

  /// Expects the response to a request with `method`.
  mutating func begin(_ method: HTTPRequest.Method) {
    self.method = method
    state = .head
    isPersistent = true
    bodyBytes = 0
    scanned = 0
    interimResponses = 0
    // An empty rest would keep the whole read buffer alive.
    if pending.readableBytes == 0 { pending = ByteBuffer() }
  }

  /// How many bytes the present response's body has, if its framing tells.
  var bodyLength: Int64? {
    switch framing {
    case .none: 0
    case .length(let length): length
    case .chunked, .untilClose: nil
    }
  }

  /// Whether bytes have arrived that belong to no response asked for.
  var hasSurplus: Bool { pending.readableBytes > 0 }

  /// Takes in what the connection has received.
  mutating func append(_ bytes: ByteBuffer) {
    if pending.readableBytes == 0 {
      pending = bytes
    } else {
      pending.writeImmutableBuffer(bytes)
    }
  }

  /// The next part, or `nil` until more bytes have come in.
  ///
  /// - Throws: `MartletError` with code `.malformedResponse` or `.headTooLarge`; the connection is of
  ///   no further use then.
  mutating func next() throws(MartletError) -> Part? {
    switch state {
    case .idle: return nil
    case .head: return try nextHead()
    case .length(let left): return nextBytes(left)
    case .untilClose: return takeBody(pending.readableBytes)
    case .chunked(var body):
      let part = try body.next(&pending, headLimit: headLimit)
      state = .chunked(body)
      return chunkedPart(part)
    case .complete:
      state = .idle
      return .end(trailers: nil)
    }
  }

  /// Says that the connection has ended, and returns the end of the response if that was its end.
  ///
  /// - Throws: `MartletError` with code `.bodyTruncated` when the body was not complete, and
  ///   `.malformedResponse` when the head was not.
  mutating func finish() throws(MartletError) -> Part? {
    isPersistent = false
    switch state {
    case .idle: return nil
    case .untilClose, .complete:
      state = .idle
      return .end(trailers: nil)
    case .head:
      guard pending.readableBytes > 0 else { return nil }
      throw .malformedResponse("the connection ended within its head")
    case .length(let left): throw .bodyTruncated(received: bodyBytes, of: bodyBytes + left)
    case .chunked: throw .bodyTruncated(received: bodyBytes, of: nil)
    }
  }

  // MARK: Head

  private mutating func nextHead() throws(MartletError) -> Part? {
    guard let length = pending.headLength(from: &scanned) else {
      guard pending.readableBytes <= headLimit else { throw .headTooLarge(limit: headLimit) }
      return nil
    }
    guard length <= headLimit else { throw .headTooLarge(limit: headLimit) }
    let parsed = pending.withUnsafeReadableBytes { bytes in
      Result { () throws(MartletError) in
        try HeadParser.head(UnsafeRawBufferPointer(rebasing: bytes[..<length]))
      }
    }
    pending.moveReaderIndex(forwardBy: length)
    scanned = 0
    return try begin(try parsed.get())
  }

  private mutating func begin(_ parsed: HeadParser.Head) throws(MartletError) -> Part {
    let head = parsed.head
    guard head.status.code >= 200 else { return try interim(head) }
    framing = try BodyFraming(head, answering: method)
    isPersistent = persistence(of: parsed)
    switch framing {
    case .none, .length(0): state = .complete
    case .length(let length): state = .length(left: length)
    case .chunked: state = .chunked(ChunkedBody())
    case .untilClose: state = .untilClose
    }
    return .head(head)
  }

  private mutating func interim(_ head: ResponseHead) throws(MartletError) -> Part {
    guard head.status.code != 101 else {
      throw .malformedResponse("it switches to a protocol that was not asked for")
    }
    interimResponses += 1
    guard interimResponses <= 32 else {
      throw .malformedResponse("more than 32 interim responses came before the final one")
    }
    return .informational(head)
  }

  /// RFC 9112 §9.3 — and never after a response whose end two rules could tell (§6.3 #3), or that is
  /// chunked although HTTP/1.0 has no chunks (§6.1).
  private func persistence(of parsed: HeadParser.Head) -> Bool {
    let headers = parsed.head.headers
    let isAmbiguous = framing == .chunked && (headers.contains(.contentLength) || !parsed.isHTTP11)
    guard framing != .untilClose, !isAmbiguous else { return false }
    guard let connection = headers[.connection]?.lowercased() else { return parsed.isHTTP11 }
    if connection.contains("close") { return false }
    return parsed.isHTTP11 || connection.contains("keep-alive")
  }

  // MARK: Body

  private mutating func nextBytes(_ left: Int64) -> Part? {
    let count = Int(min(left, Int64(pending.readableBytes)))
    let rest = left - Int64(count)
    if count > 0 { state = rest == 0 ? .complete : .length(left: rest) }
    return takeBody(count)
  }

  private mutating func chunkedPart(_ part: ChunkedBody.Part?) -> Part? {
    switch part {
    case nil: return nil
    case .data(let data):
      bodyBytes += Int64(data.readableBytes)
      return .body(data)
    case .end(let trailers):
      state = .idle
      return .end(trailers: trailers)
    }
  }

  private mutating func takeBody(_ count: Int) -> Part? {
    guard count > 0, let data = pending.readSlice(length: count) else { return nil }
    bodyBytes += Int64(count)
    return .body(data)
  }
}

extension ByteBuffer {
  /// The length of a head with its blank line, or `nil` while the blank line has not come.
  ///
  /// - Parameter scanned: How much is known to hold no end of the head; moved on for the next call.
  /// - Returns: How many bytes the head has.
  func headLength(from scanned: inout Int) -> Int? {
    withUnsafeReadableBytes { bytes in
      var start = scanned
      while let feed = bytes[start...].firstIndex(of: 0x0A) {
        let next = feed + 1
        if next < bytes.count, bytes[next] == 0x0A { return next + 1 }
        if next + 1 < bytes.count, bytes[next] == 0x0D, bytes[next + 1] == 0x0A { return next + 2 }
        if feed == 0 || (feed == 1 && bytes[0] == 0x0D) { return next }
        start = next
      }
      // A blank line that is still to come begins with one of the last two bytes at the earliest.
      scanned = max(scanned, bytes.count - 2)
      return nil
    }
  }
}
