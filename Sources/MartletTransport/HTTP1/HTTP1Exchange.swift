import MartletCore
import NIOCore

/// What a connection knows of the exchange that it carries.
struct HTTP1Exchange {
  let call: Call
  /// Sends the body, when that takes more than one write.
  var upload: BodyUpload?
  /// Where the response's body goes, once the head has come.
  var sink: BodySink?
  var head: ResponseHead?
  var bytesSent: Int64 = 0
  var bytesReceived: Int64 = 0
  var isRequestSent = false
  /// The last byte is in, and a file is being finished: the connection is not needed any more.
  var isReceived = false
  /// Bytes are held back because somebody said so: the exchange handle, or a full sink.
  var isSuspended = false
  var isSinkFull = false
  /// When to send the body although the server has not asked for it (RFC 9110 §10.1.1).
  var continueBy: NIODeadline?

  init(_ call: Call) {
    self.call = call
  }

  var isPaused: Bool { isSuspended || isSinkFull }
  var contentLength: Int64? { head?.contentLength }
}

/// Where the body of a response goes.
enum BodySink {
  case discard
  case buffer(BodyBuffer)
  case stream(BodyStream)
  case file(FileSink)
}
