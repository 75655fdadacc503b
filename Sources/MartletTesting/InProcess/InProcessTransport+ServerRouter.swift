import EssentialFoundation
import HTTPTypes
import MartletCore
import NIOCore

extension InProcessTransport {
  /// A transport that answers with the routes of httpbin, as a loopback server does, but without sockets.
  public static let loopback = InProcessTransport(router: .httpbin())

  /// A transport that answers with the routes of a router.
  public init(router: ServerRouter) {
    self.init { request in
      let message = try await ServerRequest(request)
      let answer = await router.response(to: message)
      return answer.response(to: request, isHead: message.method == .head)
    }
  }
}

extension ServerRequest {
  /// The request as a server would receive it, with `Host` and, if there is a body, `Content-Length`.
  fileprivate init(_ request: Request) async throws {
    let origin = try request.origin
    var headers = request.headers
    if let host = HTTPField.Name("Host"), headers[host] == nil { headers[host] = origin.authority }
    let body = try await request.body.collected(reportingTo: request.call)
    if !request.body.isEmpty { headers[.contentLength] = String(body.readableBytes) }
    self.init(
      method: request.method, target: request.target, headers: headers, body: body,
      isSecure: origin.isSecure)
  }
}

extension RequestBody {
  /// Collects all bytes in memory.
  fileprivate func collected(reportingTo call: Call?) async throws -> ByteBuffer {
    let whole = Locked(ByteBuffer())
    let take: Writer = { [length] chunk in
      call?.report(.bodySent(bytes: chunk.readableBytes, total: length))
      whole.withLock { _ = $0.writeImmutableBuffer(chunk) }
    }
    switch source {
    case .empty: break
    case .bytes(let bytes): try await take(bytes)
    case .file(let range): try await take(range.bytes())
    case .producer(let produce): try await produce(take)
    }
    return whole.current
  }
}

extension RequestBody.FileRange {
  fileprivate func bytes() throws -> ByteBuffer {
    let url = URL(filePath: path)
    do {
      return try OpenFile(reading: url).read(upTo: Int(length), at: offset)
    } catch {
      throw MartletError.fileNotReachable(url, underlying: error)
    }
  }
}

extension ServerResponse {
  /// The response as a client would receive it.
  fileprivate func response(to request: Request, isHead: Bool) -> Response {
    var head = ResponseHead(status: status, headers: headers)
    var received = ResponseBody.empty
    switch body {
    case .empty: head.headers[.contentLength] = "0"
    case .bytes(let bytes):
      head.headers[.contentLength] = String(bytes.readableBytes)
      received = ResponseBody(bytes: bytes)
    case .producer(let length, let produce):
      head.headers[.contentLength] = length.map(String.init)
      received = ResponseBody(stream: ProducedBody { try await produce($0) })
    }
    let isBodyless = status.code == 204 || status.code == 304
    if isBodyless { head.headers[.contentLength] = nil }
    return Response(
      head: head, url: request.url, body: isHead || isBodyless ? .empty : received)
  }
}
