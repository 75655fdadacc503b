import EssentialFoundation
import HTTPTypes
import NIOCore
import NIOHTTP1

/// Writes one response, with the framing that the request and the body require.
struct HTTPResponseWriter: Sendable {
  private let channel: any Channel
  private let version: HTTPVersion
  private let isHeadRequest: Bool
  private let wantsKeepAlive: Bool
  private let served: AwaitableValue<Int>

  init(channel: any Channel, request: HTTPRequestHead, served: AwaitableValue<Int>) {
    self.channel = channel
    self.served = served
    version = request.version
    isHeadRequest = request.method == .HEAD
    wantsKeepAlive = request.isKeepAlive
  }

  /// Writes the whole response; if that fails, the connection is closed.
  func write(_ response: ServerResponse) async {
    do {
      try await send(response)
    } catch {
      channel.closeAbruptly()
    }
  }

  private func send(_ response: ServerResponse) async throws {
    // The task is cancelled when the client has closed the connection.
    try Task.checkCancellation()
    let framing = Framing(response, isHeadRequest: isHeadRequest, version: version)
    let isKept = wantsKeepAlive && framing != .untilClose
    channel.write(HTTPServerResponsePart.head(head(of: response, framing, isKept)), promise: nil)
    if framing != .nothing && !isHeadRequest { try await send(response.body) }
    // Counted before the last byte is sent, so that the client sees the new count when it has the response.
    served.update { $0 += 1 }
    try await channel.writeAndFlush(HTTPServerResponsePart.end(nil)).get()
    if !isKept { channel.close(promise: nil) }
  }

  private func send(_ body: ServerResponse.Body) async throws {
    switch body {
    case .empty: break
    case .bytes(let bytes):
      channel.write(HTTPServerResponsePart.body(.byteBuffer(bytes)), promise: nil)
    case .producer(_, let produce):
      try await produce { [channel] chunk in
        try await channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(chunk))).get()
      }
    }
  }

  private func head(
    of response: ServerResponse, _ framing: Framing, _ isKept: Bool
  ) -> HTTPResponseHead {
    var headers = HTTPHeaders(response.headers.map { ($0.name.rawName, $0.value) })
    headers.remove(name: "content-length")
    headers.remove(name: "transfer-encoding")
    headers.replaceOrAdd(name: "Date", value: HTTPDate.now)
    if let field = framing.field { headers.add(name: field.name, value: field.value) }
    if !isKept {
      headers.replaceOrAdd(name: "Connection", value: "close")
    } else if version == .http1_0 {
      headers.replaceOrAdd(name: "Connection", value: "keep-alive")
    }
    let status = HTTPResponseStatus(
      statusCode: response.status.code, reasonPhrase: response.status.reasonPhrase)
    return HTTPResponseHead(version: version, status: status, headers: headers)
  }
}

/// How the end of a body is marked (RFC 9112 §6.3).
private enum Framing: Equatable {
  case nothing
  case length(Int)
  case chunks
  case untilClose

  init(_ response: ServerResponse, isHeadRequest: Bool, version: HTTPVersion) {
    let code = response.status.code
    guard code >= 200, code != 204, code != 304 else {
      self = .nothing
      return
    }
    switch response.body {
    case .empty: self = .length(0)
    case .bytes(let bytes): self = .length(bytes.readableBytes)
    case .producer(let length?, _): self = .length(length)
    case .producer(nil, _) where version == .http1_0: self = .untilClose
    case .producer(nil, _): self = isHeadRequest ? .nothing : .chunks
    }
  }

  var field: (name: String, value: String)? {
    switch self {
    case .nothing, .untilClose: nil
    case .length(let length): ("Content-Length", String(length))
    case .chunks: ("Transfer-Encoding", "chunked")
    }
  }
}

/// Dates in HTTP's format (RFC 9110 §5.6.7).
enum HTTPDate {
  /// The time now, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
  static var now: String { text(of: Date()) }

  static func text(of date: Date) -> String {
    var seconds = time_t(date.timeIntervalSince1970)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map(twoDigits).joined(separator: ":")
    let day = twoDigits(parts.tm_mday)
    let year = Int(parts.tm_year) + 1900
    return
      "\(days[Int(parts.tm_wday) % 7]), \(day) \(months[Int(parts.tm_mon) % 12]) \(year) \(clock) GMT"
  }

  private static func twoDigits(_ number: Int32) -> String {
    number < 10 ? "0\(number)" : String(number)
  }

  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
