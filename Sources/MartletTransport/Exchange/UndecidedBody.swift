import HTTPTypes
import MartletCore
import NIOCore

/// What is known of a body for which there was no place when its head came.
struct UndecidedBody {
  /// The response, until its caller has it: at the end of what was read together with the head.
  var response: Response?
  /// Bytes received and not yet reported.
  var bytes = 0
  /// The end, when it has come: the connection waits with it until there is a place.
  var end: End?
  /// Completed when the body has its place.
  var taker: BodyStream.Taker?

  struct End {
    var trailers: HTTPFields?
    let time = NIODeadline.now()
  }
}

/// The decision about a body, which comes after its head.
extension ActiveExchange {
  /// What was read together with the head is dealt with: the caller gets the response.
  mutating func answerIfDue() {
    if let response = undecided.response.take() { call.answer(response) }
  }

  /// Whether the end of the body has to wait for a place, such as a file. That of an error does not: somebody may think
  /// about it for long.
  mutating func holdsEnd(_ trailers: HTTPFields?) -> Bool {
    guard case .undecided? = sink, head?.status.kind == .successful else { return false }
    undecided.end = UndecidedBody.End(trailers: trailers)
    // The server has answered before it had the whole request: the rest is for nobody.
    upload?.cancel()
    markReceived()
    return true
  }

  /// Whether the connection has waited for a place for long enough: whoever has the response takes his time, and can read
  /// the body from memory.
  func isEndHeldTooLong(_ now: NIODeadline) -> Bool {
    guard let end = undecided.end else { return false }
    return end.time + Self.placePatience <= now
  }

  /// Has the body go where `choice` says, with what has come of it and was not read.
  ///
  /// - Returns: Whether there is room for more; `nil` when the body is to be read.
  /// - Throws: `MartletError` when it cannot go there.
  mutating func put(
    _ choice: Delivery.Choice, _ bodyLength: Int64?, _ carrier: any ExchangeCarrier,
    _ taker: @escaping BodyStream.Taker
  ) throws(MartletError) -> Bool? {
    let stream: BodyStream
    switch sink {
    case .undecided(let waiting), .stream(let waiting): stream = waiting
    case .buffer, .discard, .file, nil: return nil
    }
    if case .stream = choice {
      sink = .stream(stream)
      tellReceived(bodyLength)
      return nil
    }
    undecided.taker = taker
    let whole = stream.takeAll()
    try place(choice, bodyLength, carrier)
    var hasRoom = true
    for chunk in whole { hasRoom = try sink?.take(chunk) ?? true }
    if case .discard? = sink { undecided.bytes = 0 }
    tellReceived(bodyLength)
    return hasRoom
  }

  /// Nobody wants the body, which does not cost its connection if it is that of an error, or has come whole.
  ///
  /// - Returns: Whether that is so. To whoever watches, the exchange is over then.
  mutating func abandonBody(_ carrier: any ExchangeCarrier, isReused: Bool) -> Bool {
    guard case .undecided? = sink, undecided.end != nil || head?.status.kind != .successful else {
      return false
    }
    call.finishUnheard(metrics(over: carrier.info, isReused: isReused))
    isSuspended = false
    return true
  }

  /// Tells of a body that is whole before it has a place.
  ///
  /// - Returns: How much nobody was told of: the body of a redirect, or of a refusal, is no progress, for as a rule the
  ///   caller gets another.
  mutating func tellWhole() -> Int {
    let isOnTheWay = head?.status.kind == .redirection || head?.status == .unauthorized
    if !isOnTheWay { tellReceived(Int64(undecided.bytes)) }
    return undecided.bytes
  }

  private mutating func tellReceived(_ bodyLength: Int64?) {
    guard undecided.bytes > 0 else { return }
    call.request.exchange?.report(.received(bytes: undecided.bytes, total: bodyLength))
    undecided.bytes = 0
  }
}
