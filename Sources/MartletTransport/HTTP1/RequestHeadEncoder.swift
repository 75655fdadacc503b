import HTTPTypes
import MartletCore
import NIOCore

/// Writes the head of an HTTP/1.1 request (RFC 9112 §3).
///
/// The caller's fields keep their order and their duplicates. If the caller sets no `Host` field, the engine writes
/// this field first. The engine does not send the caller's `Content-Length`, `Transfer-Encoding` and `Expect` fields,
/// but writes its own after the other fields. The caller's `Cookie` fields are joined into one field (RFC 6265 §5.4),
/// because swift-http-types splits a `Cookie` field when it is assigned. A `Proxy-Authorization` field is sent to a proxy only:
/// one that forwards the request, or one that receives a CONNECT request of the caller (RFC 9110 §11.7.2).
struct RequestHeadEncoder {
  /// How the body is framed.
  enum Framing: Equatable {
    /// No body and no length.
    case none
    case length(Int64)
    case chunked
  }

  /// The parts of a head that are for a forwarding proxy.
  struct Forwarding {
    /// The whole URL (RFC 9112 §3.2.2).
    var target: String
    /// The value of `Proxy-Authorization`.
    var authorization: String?
  }

  /// Returns the framing of a request's body. Without a body, some methods have the length 0.
  /// Only chunks can be followed by trailers (RFC 9112 §7.1.2).
  static func framing(of request: Request) -> Framing {
    guard request.trailers == nil else { return .chunked }
    guard !request.hasBody else { return request.bodyLength.map { .length($0) } ?? .chunked }
    return request.method.announcesEmptyBody ? .length(0) : .none
  }

  /// Checks what the checks of header fields do not cover: the target in the request line, and the names of trailers.
  ///
  /// - Throws: `MartletError` with code `.invalidRequest` when the target contains a byte that is not visible ASCII, or
  ///   when a CONNECT request has no `Host` field; with code `.invalidHeader` for a trailer that is not allowed.
  static func check(_ request: Request) throws(MartletError) {
    let target = target(of: request)
    guard !target.isEmpty else { throw .connectNeedsTarget }
    let isVisible = target.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    guard isVisible else { throw .invalidTarget() }
    try request.trailers?.checkNames()
  }

  /// Writes the head, including its blank line.
  ///
  /// It is written in one piece, because each write to a `ByteBuffer` has a cost. If it does not fit, it is written again into a larger
  /// buffer.
  static func encode(
    _ request: Request, authority: String, forwarding: Forwarding? = nil,
    into buffer: inout ByteBuffer
  ) {
    var (room, written) = (512, 0)
    while written == 0 {
      written = buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: room) { bytes in
        var head = HeadWriter(bytes)
        write(request, authority, forwarding, into: &head)
        return head.isTooLong ? 0 : bytes.count - head.room
      }
      room = 2 * max(room, buffer.writableBytes)
    }
  }

  /// Returns the target in the request line. For CONNECT it is the authority (RFC 9112 §3.2.3), which the caller sets
  /// in the `Host` field. Without that field it is empty.
  private static func target(of request: Request) -> String {
    guard request.method.requestsTunnel else { return request.target }
    return request.ownHeaders.first { $0.name.isHost }?.value ?? ""
  }

  private static func write(
    _ request: Request, _ authority: String, _ forwarding: Forwarding?, into head: inout HeadWriter
  ) {
    let framing = framing(of: request)
    head.append(request.method.rawValue)
    head.append(" ")
    head.append(forwarding?.target ?? target(of: request))
    head.append(" HTTP/1.1\r\n")
    if !request.ownHeaders.contains(.host) { head.append("Host", authority) }
    if let authorization = forwarding?.authorization {
      head.append("Proxy-Authorization", authorization)
    }
    var hasCookies = false
    for field in request.ownHeaders {
      switch Handling(field.name) {
      case .asIs:
        head.append(field)
      case .joined:
        if !hasCookies { writeCookies(of: request.ownHeaders, into: &head) }
        hasCookies = true
      case .forProxy:
        if forwarding != nil || request.method.requestsTunnel { head.append(field) }
      case .omitted: break
      }
    }
    if request.asksForCompression { head.append(HTTPField.compressionRequest) }
    switch framing {
    case .none: break
    case .length(let length): head.append("Content-Length", String(length))
    case .chunked: head.append("Transfer-Encoding", "chunked")
    }
    if let names = request.trailerNames { head.append("Trailer", names) }
    if request.expectsContinueForBody { head.append("Expect", "100-continue") }
    head.append("\r\n")
  }

  /// How a field of the caller is written.
  private enum Handling {
    case asIs
    /// All `Cookie` fields become one.
    case joined
    /// Only a proxy receives the field.
    case forProxy
    /// The engine writes this field itself: it frames the body, or it is `Expect`.
    case omitted

    /// Decides by the name of the field. The length is compared first, because that is cheaper.
    init(_ name: HTTPField.Name) {
      switch name.rawName.utf8.count {
      case 6 where name == .expect, 14 where name == .contentLength,
        17 where name == .transferEncoding:
        self = .omitted
      case 6 where name == .cookie: self = .joined
      case 19 where name == .proxyAuthorization: self = .forProxy
      default: self = .asIs
      }
    }
  }

  private static func writeCookies(of headers: HTTPFields, into head: inout HeadWriter) {
    var separator: StaticString = "Cookie: "
    for field in headers where field.name == .cookie {
      head.append(separator)
      field.withUnsafeBytesOfValue { head.append($0) }
      separator = "; "
    }
    head.append("\r\n")
  }
}

/// Writes the parts of a head one after the other, as long as there is room.
private struct HeadWriter {
  /// Where the next part is written; `nil` only in an empty buffer.
  private var next: UnsafeMutableRawPointer?
  /// How many bytes fit there; −1 if a part did not fit.
  private(set) var room: Int

  init(_ bytes: UnsafeMutableRawBufferPointer) {
    next = bytes.baseAddress
    room = bytes.count
  }

  /// Whether a part did not fit.
  var isTooLong: Bool { room < 0 }

  @inline(__always)
  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.count <= room, let start = bytes.baseAddress else {
      if bytes.count > room { room = -1 }
      return
    }
    next?.copyMemory(from: start, byteCount: bytes.count)
    next = next?.advanced(by: bytes.count)
    room -= bytes.count
  }

  @inline(__always)
  mutating func append(_ text: String) {
    text.utf8.withContiguousStorageIfAvailable { append($0) } ?? append(copy: text)
  }

  private mutating func append(copy text: String) {
    var text = text
    text.withUTF8 { append($0) }
  }

  @inline(__always)
  mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { append($0) }
  }

  @inline(__always)
  mutating func append(_ field: HTTPField) {
    append(field.name.rawName)
    append(": ")
    field.withUnsafeBytesOfValue { append($0) }
    append("\r\n")
  }

  mutating func append(_ name: StaticString, _ value: String) {
    append(name)
    append(": ")
    append(value)
    append("\r\n")
  }
}
