import MartletEssentials
import NIOCore

/// The text of a request as it is sent, for reading.
struct RequestText {
  let request: Request
  /// The HTTP version in which it is sent.
  let version: HTTPVersion

  /// The request line and the header fields, including those that the engine adds.
  var head: [String] {
    var lines = ["\(request.method) \(request.target) \(version.rawValue)"]
    let given = request.headers.filter { !isLeftOut($0) }
    if !given.contains(where: { $0.name.canonicalName == "host" }),
      let origin = try? request.origin
    {
      lines.append("Host: \(origin.authority)")
    }
    lines += given.map { "\($0.name.rawName): \($0.value)" }
    if let framing { lines.append(framing) }
    if request.options.expectsContinue, !request.body.isEmpty, request.body.length != 0 {
      lines.append("Expect: 100-continue")
    }
    return lines
  }

  /// The body if it is in memory, otherwise its length.
  var body: [UInt8] {
    switch request.body.source {
    case .empty: []
    case .bytes(let bytes): Array(bytes.readableBytesView)
    case .file, .producer:
      Array("(\(request.body.length.map(ByteCount.text) ?? "a body of unknown length"))".utf8)
    }
  }

  /// Whether a field is left out: the engine sets the framing fields and `Expect` itself, and HTTP/2 has no
  /// connection-specific fields (RFC 9113 §8.2.2).
  private func isLeftOut(_ field: HTTPField) -> Bool {
    switch field.name.canonicalName {
    case "content-length", "transfer-encoding", "expect": true
    case "connection", "keep-alive", "proxy-connection", "upgrade": version == .http2
    case "te": version == .http2 && field.value != "trailers"
    default: false
    }
  }

  private var framing: String? {
    guard request.body.isEmpty else {
      let chunked = version == .http1 ? "Transfer-Encoding: chunked" : nil
      return request.body.length.map { "Content-Length: \($0)" } ?? chunked
    }
    return request.method.announcesEmptyBody ? "Content-Length: 0" : nil
  }
}

/// The version of HTTP, as request and status lines show it.
enum HTTPVersion: String, Sendable {
  case http1 = "HTTP/1.1"
  case http2 = "HTTP/2"

  /// The version that a connection uses, with or without TLS.
  init(_ connection: ConnectionInfo) {
    self = connection.protocolName.hasPrefix("h2") ? .http2 : .http1
  }
}
