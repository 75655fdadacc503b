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
}

/// Where the body of a response goes.
enum BodySink {
  case discard
  case buffer(BodyBuffer)
  case stream(BodyStream)
  case file(FileSink)

  /// Takes some of the body; whether there is room for more.
  ///
  /// A buffer is moved out, changed and put back: a second reference to it would have every chunk copy
  /// all of what came before.
  mutating func take(_ bytes: ByteBuffer) throws(MartletError) -> Bool {
    switch self {
    case .discard: return true
    case .stream(let stream): return stream.receive(bytes)
    case .file(let file): return file.receive(bytes)
    case .buffer(var buffer):
      self = .discard
      try buffer.append(bytes)
      self = .buffer(buffer)
      return true
    }
  }
}
