import Martlet
import NIOCore

/// A request as it goes over the wire, for people to read.
struct RequestText {
  let request: Request

  /// The request line and the header fields, the ones included that the engine adds.
  var head: [String] {
    var lines = ["\(request.method) \(request.target) HTTP/1.1"]
    let given = request.headers.filter { !isFraming($0.name) }
    if !given.contains(where: { $0.name.canonicalName == "host" }),
      let origin = try? request.origin
    {
      lines.append("Host: \(origin.authority)")
    }
    lines += given.map { "\($0.name.rawName): \($0.value)" }
    if let framing { lines.append(framing) }
    return lines
  }

  /// The body, or what can be said about it without sending it.
  var body: [UInt8] {
    switch request.body.source {
    case .empty: []
    case .bytes(let bytes): Array(bytes.readableBytesView)
    case .file, .producer:
      Array("(\(request.body.length.map(ByteCount.text) ?? "a body of unknown length"))".utf8)
    }
  }

  private func isFraming(_ name: HTTPField.Name) -> Bool {
    name == .contentLength || name == .transferEncoding || name == .expect
  }

  private var framing: String? {
    guard request.body.isEmpty else {
      return request.body.length.map { "Content-Length: \($0)" } ?? "Transfer-Encoding: chunked"
    }
    switch request.method {
    case .post, .put, .patch: return "Content-Length: 0"
    default: return nil
    }
  }
}
