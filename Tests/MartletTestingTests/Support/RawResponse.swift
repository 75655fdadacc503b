import Foundation
import MartletTesting
import NIOCore
import NIOSSL

/// A response, taken from the text that a server sent before it closed.
struct RawResponse {
  let status: Int
  let head: String
  let body: ByteBuffer

  init(_ bytes: ByteBuffer) throws {
    let data = Data(bytes.readableBytesView)
    guard let gap = data.range(of: Data("\r\n\r\n".utf8)) else { throw Malformed(bytes: bytes) }
    head = String(decoding: data[..<gap.lowerBound], as: UTF8.self)
    status = Int(head.split(separator: " ").dropFirst().first ?? "") ?? 0
    var body = ByteBuffer(bytes: data[gap.upperBound...])
    if head.contains("Transfer-Encoding: chunked") { body = try Self.joined(body) }
    self.body = body
  }

  var text: String { String(buffer: body) }

  var json: NSDictionary {
    get throws {
      let object = try JSONSerialization.jsonObject(with: Data(body.readableBytesView))
      return object as? NSDictionary ?? [:]
    }
  }

  subscript(name: String) -> String? {
    head.components(separatedBy: "\r\n").first { $0.hasPrefix(name + ": ") }
      .map { String($0.dropFirst(name.count + 2)) }
  }

  struct Malformed: Error { let bytes: ByteBuffer }

  private static func joined(_ chunks: ByteBuffer) throws -> ByteBuffer {
    var (rest, whole) = (chunks, ByteBuffer())
    while let end = rest.readableBytesView.firstIndex(of: UInt8(ascii: "\r")) {
      let line = rest.readString(length: end - rest.readerIndex) ?? ""
      rest.moveReaderIndex(forwardBy: 2)
      guard let size = Int(line, radix: 16), let chunk = rest.readSlice(length: size) else { break }
      if size == 0 { return whole }
      whole.writeImmutableBuffer(chunk)
      rest.moveReaderIndex(forwardBy: 2)
    }
    throw Malformed(bytes: chunks)
  }
}

extension LoopbackServer {
  /// Sends a request such as `GET /ip` on a connection of its own.
  func fetch(
    _ line: String, _ headers: [String] = [], body: String? = nil, tls: TLSConfiguration? = nil,
    host: String? = nil
  ) async throws -> RawResponse {
    let client = try await RawClient.connect(to: url("/", host: host), tls: tls)
    let length = body.map { ["Content-Length: \($0.utf8.count)"] } ?? []
    let lines = ["\(line) HTTP/1.1", "Host: test:80", "Connection: close"] + headers + length
    try await client.send(lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? ""))
    return try RawResponse(try await client.readToEnd())
  }
}
