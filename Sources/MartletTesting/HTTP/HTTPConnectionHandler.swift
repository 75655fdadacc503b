import HTTPTypes
import NIOCore
import NIOHTTP1

/// Collects the requests of one connection and answers them, one after another.
///
/// With HTTP/1.1, NIO's pipelining handler holds back a request until the previous request is answered. An HTTP/2
/// stream has only one request.
final class HTTPConnectionHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private enum State {
    case idle
    case receiving(HTTPRequestHead, ByteBuffer)
    case rejecting
    case answering(Task<Void, Never>)
  }

  private let service: HTTPService
  private var state = State.idle

  init(_ service: HTTPService) {
    self.service = service
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch Self.unwrapInboundIn(data) {
    case .head(let head): begin(head, context)
    case .body(let bytes): take(bytes, context)
    case .end(let trailers): finish(context, trailers)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    if case .answering(let task) = state { task.cancel() }
    state = .idle
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    state = .receiving(head, ByteBuffer())
    let announced = head.headers.first(name: "content-length").flatMap { Int($0) } ?? 0
    if announced > service.bodyLimit {
      rejectBody(head, context)
    } else if head.headers.first(name: "expect")?.lowercased() == "100-continue" {
      let go = HTTPResponseHead(version: .http1_1, status: .continue)
      context.writeAndFlush(Self.wrapOutboundOut(.head(go)), promise: nil)
    }
  }

  private func take(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
    guard case .receiving(let head, var body) = state else { return }
    state = .idle
    body.writeImmutableBuffer(bytes)
    state = .receiving(head, body)
    if body.readableBytes > service.bodyLimit { rejectBody(head, context) }
  }

  /// Answers 413 at once, but closes the connection only when the request has ended, or after five seconds.
  ///
  /// Closing with unread bytes would reset the connection, and the client could lose the response.
  private func rejectBody(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    state = .rejecting
    let headers: HTTPHeaders = ["Content-Length": "0", "Connection": "close"]
    let rejection = HTTPResponseHead(
      version: head.version, status: .payloadTooLarge, headers: headers)
    context.write(Self.wrapOutboundOut(.head(rejection)), promise: nil)
    context.writeAndFlush(Self.wrapOutboundOut(.end(nil)), promise: nil)
    let channel = context.channel
    let deadline = context.eventLoop.scheduleTask(in: .seconds(5)) { channel.closeAbruptly() }
    channel.closeFuture.whenComplete { _ in deadline.cancel() }
  }

  private func finish(_ context: ChannelHandlerContext, _ trailers: HTTPHeaders?) {
    guard case .receiving(let head, let body) = state else {
      if case .rejecting = state { context.close(promise: nil) }
      return
    }
    var request = ServerRequest(
      head, body: body, remoteAddress: context.channel.remoteAddress?.ipAddress,
      isSecure: service.isSecure)
    if let trailers { request.trailers = HTTPFields(trailers) }
    let writer = HTTPResponseWriter(channel: context.channel, request: head, served: service.served)
    let router = service.router
    state = .answering(
      Task { [request] in
        await writer.write(await router.response(to: request))
      })
  }
}

extension HTTPFields {
  /// The fields from NIO's parser, without those whose names RFC 9110 does not allow.
  init(_ headers: HTTPHeaders) {
    self.init()
    for (name, value) in headers {
      guard let name = HTTPField.Name(name) else { continue }
      append(HTTPField(name: name, value: value))
    }
  }
}

extension ServerRequest {
  /// The request from NIO's parser.
  init(_ head: HTTPRequestHead, body: ByteBuffer, remoteAddress: String?, isSecure: Bool) {
    self.init(
      method: HTTPRequest.Method(head.method.rawValue) ?? .get, target: head.uri,
      headers: HTTPFields(head.headers),
      body: body, remoteAddress: remoteAddress ?? "127.0.0.1", isSecure: isSecure)
  }
}
