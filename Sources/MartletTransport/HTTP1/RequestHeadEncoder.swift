import HTTPTypes
import MartletCore
import NIOCore

/// Writes the head of a request as HTTP/1.1 has it (RFC 9112 §3).
///
/// The caller's fields keep their order and their duplicates. `Host` goes first; the fields that frame
/// the body are the engine's own and replace whatever the caller wrote. Of `Cookie` there is one, with all that
/// the caller's say (RFC 6265 §5.4): swift-http-types makes several of one that is assigned.
struct RequestHeadEncoder {
  /// How the body is framed.
  enum Framing: Equatable {
    /// No body and no length.
    case none
    case length(Int64)
    case chunked
  }

  /// What a proxy wants to read that passes the request on.
  struct Forwarding {
    /// The whole URL (RFC 9112 §3.2.2).
    var target: String
    /// The value of `Proxy-Authorization`.
    var authorization: String?
  }

  /// The framing of a request's body; a method that expects one says so even when it is empty
  /// (RFC 9110 §8.6).
  static func framing(of request: Request) -> Framing {
    guard request.body.isEmpty else { return request.body.length.map { .length($0) } ?? .chunked }
    switch request.method {
    case .post, .put, .patch: return .length(0)
    default: return .none
    }
  }

  /// Checks what the request line is made of, which no field check covers.
  ///
  /// - Throws: `MartletError` with code `.invalidRequest`.
  static func check(_ request: Request) throws(MartletError) {
    guard request.method != .connect else { throw .connectNotSent }
    let target = request.target
    let isVisible = target.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    guard isVisible else { throw .invalidTarget() }
  }

  /// Writes the head, its blank line included.
  static func encode(
    _ request: Request, authority: String, forwarding: Forwarding? = nil,
    into buffer: inout ByteBuffer
  ) {
    let framing = framing(of: request)
    buffer.writeString(request.method.rawValue)
    buffer.writeInteger(UInt8(ascii: " "))
    buffer.writeString(forwarding?.target ?? request.target)
    buffer.writeStaticString(" HTTP/1.1\r\n")
    if !request.headers.contains(where: \.name.isHost) { write("Host", authority, into: &buffer) }
    if let authorization = forwarding?.authorization {
      write("Proxy-Authorization", authorization, into: &buffer)
    }
    var hasCookies = false
    for field in request.headers where !isFraming(field.name) {
      if isCookie(field.name) {
        if !hasCookies { writeCookies(of: request.headers, into: &buffer) }
        hasCookies = true
        continue
      }
      buffer.writeString(field.name.rawName)
      buffer.writeStaticString(": ")
      field.withUnsafeBytesOfValue { _ = buffer.writeBytes($0) }
      buffer.writeStaticString("\r\n")
    }
    switch framing {
    case .none: break
    case .length(let length): write("Content-Length", String(length), into: &buffer)
    case .chunked: buffer.writeStaticString("Transfer-Encoding: chunked\r\n")
    }
    if request.options.expectsContinue, framing != .none, framing != .length(0) {
      buffer.writeStaticString("Expect: 100-continue\r\n")
    }
    buffer.writeStaticString("\r\n")
  }

  /// Most names have another length than those that matter, which is cheaper to see.
  private static func isFraming(_ name: HTTPField.Name) -> Bool {
    switch name.rawName.utf8.count {
    case 6: name == .expect
    case 14: name == .contentLength
    case 17: name == .transferEncoding
    default: false
    }
  }

  private static func isCookie(_ name: HTTPField.Name) -> Bool {
    name.rawName.utf8.count == 6 && name == .cookie
  }

  private static func writeCookies(of headers: HTTPFields, into buffer: inout ByteBuffer) {
    var separator: StaticString = "Cookie: "
    for field in headers where isCookie(field.name) {
      buffer.writeStaticString(separator)
      field.withUnsafeBytesOfValue { _ = buffer.writeBytes($0) }
      separator = "; "
    }
    buffer.writeStaticString("\r\n")
  }

  private static func write(_ name: StaticString, _ value: String, into buffer: inout ByteBuffer) {
    buffer.writeStaticString(name)
    buffer.writeStaticString(": ")
    buffer.writeString(value)
    buffer.writeStaticString("\r\n")
  }
}
