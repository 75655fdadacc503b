import MartletCore
import NIOCore
import NIOHTTP2

/// One exchange of an HTTP/2 connection: what goes out, and what has come in.
///
/// Confined to its connection's event loop.
final class HTTP2Stream {
  let number: Int32
  /// Whether the connection had served another exchange before.
  let isReuse: Bool
  var exchange: ActiveExchange
  var window: ReceiveWindow
  /// It was reset by either side: no frame may leave on it any more.
  var isReset = false
  /// How many interim responses have come.
  var interimResponses = 0
  /// How many bytes of the response's body are to come, and how many have come.
  var bodyLength: Int64?
  var bodyBytes: Int64 = 0
  /// What the peer's windows do not allow to be sent yet.
  var unsent: ByteBuffer?
  /// Since when the peer's windows allow some of it, which is not worth a frame.
  var heldBackSince: NIODeadline?
  /// How much of the request's body may leave before others have their turn, while bodies take turns.
  var turn: Int?
  /// How much of the request's body is left, when its length is known.
  var bodyLeft: Int64?
  /// The body's producer is done, so that what is unsent is the end.
  var isBodyComplete = false

  init(_ number: Int32, isReuse: Bool, call: Call, window: ReceiveWindow) {
    self.number = number
    self.isReuse = isReuse
    exchange = ActiveExchange(call)
    self.window = window
    bodyLeft = call.request.body.length
  }

  var id: HTTP2StreamID { HTTP2StreamID(number) }
}
