import HTTPTypes
import MartletCore
import NIOCore

/// The progress of sending a request.
struct Sending {
  /// Sends the body, if that takes more than one write.
  var upload: BodyUpload?
  /// How many bytes have been handed to the network.
  var bytes: Int64 = 0
  /// Whether the whole request has been handed to the network.
  var isWhole = false
  /// How many bytes of the body are left to send, if its length is known and nothing follows it.
  var bodyLeft: Int64?
  /// When to send the body even if `100 Continue` has not arrived (RFC 9110 §10.1.1).
  var continueBy: NIODeadline?
  /// Decides whether a request with a body has been delivered.
  var deliveryMark = DeliveryMark()

  /// How much of the request has been handed to the network.
  var sent: MartletError.SentAmount { isWhole ? .whole : bytes > 0 ? .part : .nothing }
}

/// How an exchange sends its request.
extension Exchange {
  /// How long to wait for `100 Continue` (RFC 9110 §10.1.1).
  private static let continueTimeout = TimeAmount.seconds(1)
  /// A body in memory of up to this many bytes leaves in one write with its head.
  private static let smallBody = 64 << 10

  func send(over codec: any ExchangeCodec) {
    let request = outgoing
    let small = smallBody(of: request)
    sending.bodyLeft = request.trailers == nil ? request.bodyLength : nil
    codec.send(request, small: small)
    // The connection may have turned out to be closed, and the request may be on another one now.
    guard small == nil, request.hasContent, isRunning(on: codec), !sending.isWhole else {
      return
    }
    codec.prepareForUpload()
    sending.upload = BodyUpload(request, on: pool.connector.executor) { [weak self] chunk in
      self?.codec?.send(chunk) ?? true
    } finished: { [weak self] result in
      self?.uploadFinished(result)
    }
    guard request.expectsContinueForBody else { return startUpload() }
    sending.continueBy = now + Self.continueTimeout
  }

  /// The request as it is sent now.
  private var outgoing: Request {
    guard isExpectationRefused else { return request }
    var request = request
    request.options.expectsContinue = false
    return request
  }

  private func smallBody(of request: Request) -> ByteBuffer? {
    guard request.hasBody, case .bytes(let bytes) = request.body.source,
      !request.expectsContinueForBody,
      bytes.readableBytes <= Self.smallBody, request.trailers == nil
    else { return nil }
    return bytes
  }

  /// Starts to send the body, unless that was started before.
  func startUpload() {
    sending.continueBy = nil
    sending.upload?.start()
  }

  /// Pauses or resumes the upload after the call was suspended or resumed.
  func holdUpload(_ codec: any ExchangeCodec) {
    if isSuspended {
      sending.upload?.pause()
    } else if codec.sendPending() {
      sending.upload?.resume()
    }
  }

  private func uploadFinished(_ result: Result<HTTPFields?, MartletError>) {
    switch result {
    case .success(let trailers): codec?.sendEnd(trailers)
    case .failure(let error): fail(error)
    }
  }

  // MARK: Called by the codec

  /// Resumes the upload, because there may be room for another chunk.
  func resumeUpload() {
    if !isSuspended { sending.upload?.resume() }
  }

  /// Records that the socket has taken bytes of the body.
  func noteWritten(_ bytes: Int, _ now: NIODeadline) {
    clock.markWritten(now)
    request.call?.report(.bodySent(bytes: bytes, total: request.bodyLength))
  }

  /// Checks whether the peer's system has acknowledged the whole request. A request without a body has been delivered when its
  /// response arrives.
  ///
  /// The first time that the codec has written all of it, this notes what has to be acknowledged.
  @discardableResult
  func checkDelivery() -> Bool {
    guard sending.isWhole else { return false }
    guard request.hasContent, let codec else { return true }
    var mark = sending.deliveryMark
    defer { sending.deliveryMark = mark }
    return codec.isDelivered(&mark)
  }

  /// Records that the whole request has been handed to the network.
  func markSent() {
    sending.isWhole = true
    clock.markSent(now)
    // Bytes of other requests that follow need not be acknowledged. Over HTTP/1.1, none follow.
    if request.hasContent, request.delivery.isDiscard, codec?.info.isMultiplexed == true {
      checkDelivery()
    }
    request.call?.report(.requestSent)
  }
}
