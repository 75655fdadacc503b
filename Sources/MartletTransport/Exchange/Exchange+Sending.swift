import MartletCore
import NIOCore

/// How far a request has come on its way out.
struct Sending {
  /// Sends the body, when that takes more than one write.
  var upload: BodyUpload?
  /// How many bytes have been handed to the network.
  var bytes: Int64 = 0
  /// Whether that is the request as a whole.
  var isWhole = false
  /// How much of the body is left, if its length is known.
  var bodyLeft: Int64?
  /// When to send the body although the server has not asked for it (RFC 9110 §10.1.1).
  var continueBy: NIODeadline?

  /// How much of the request has been handed to the network.
  var sent: MartletError.Sent { isWhole ? .whole : bytes > 0 ? .part : .nothing }
}

/// The request's way out.
extension Exchange {
  /// How long to wait for `100 Continue` (RFC 9110 §10.1.1).
  private static let continueTimeout = TimeAmount.seconds(1)
  /// A body up to this size leaves in one write with its head.
  private static let smallBody = 64 << 10

  func send(over codec: any ExchangeCodec) {
    let request = outgoing
    let small = smallBody(of: request)
    sending.bodyLeft = request.body.length
    codec.send(request, small: small)
    // The connection may have been found closed, and the request be under way on another.
    guard small == nil, !request.body.isEmpty, isRunning(on: codec), !sending.isWhole else {
      return
    }
    codec.channel?.boundUnsentBytes()
    sending.upload = BodyUpload(request.body, loop: pool.loop) { [weak self] chunk in
      self?.codec?.send(chunk) ?? true
    } finished: { [weak self] result in
      self?.uploadFinished(result)
    }
    guard request.expectsContinueForBody else { return startUpload() }
    sending.continueBy = .now() + Self.continueTimeout
  }

  /// The request as it goes out now.
  private var outgoing: Request {
    guard isExpectationRefused else { return request }
    var request = request
    request.options.expectsContinue = false
    return request
  }

  private func smallBody(of request: Request) -> ByteBuffer? {
    guard case .bytes(let bytes) = request.body.source, !request.expectsContinueForBody,
      bytes.readableBytes <= Self.smallBody
    else { return nil }
    return bytes
  }

  /// Begins with the body, unless that has happened already.
  func startUpload() {
    sending.continueBy = nil
    sending.upload?.start()
  }

  /// The call has been suspended or resumed.
  func holdUpload(_ codec: any ExchangeCodec) {
    if isSuspended {
      sending.upload?.pause()
    } else if codec.sendKept() {
      sending.upload?.resume()
    }
  }

  private func uploadFinished(_ result: Result<Void, MartletError>) {
    switch result {
    case .success: codec?.sendEnd()
    case .failure(let error): fail(error)
    }
  }

  // MARK: What the codec tells

  /// There may be room for another chunk.
  func resumeUpload() {
    if !isSuspended { sending.upload?.resume() }
  }

  /// The socket has taken bytes of the body.
  func noteWritten(_ bytes: Int, _ now: NIODeadline) {
    clock.markWritten(now)
    request.call?.report(.bodySent(bytes: bytes, total: request.body.length))
  }

  /// The request as a whole has been handed to the network.
  func markSent() {
    sending.isWhole = true
    clock.markSent()
    request.call?.report(.requestSent)
  }
}
