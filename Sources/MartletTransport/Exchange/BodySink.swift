import MartletCore
import NIOCore

/// Where the body of a response goes.
enum BodySink {
  /// It is kept until the place is decided.
  case undecided(BodyStream)
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
    case .undecided(let stream), .stream(let stream): return stream.receive(bytes)
    case .file(let file): return file.receive(bytes)
    case .buffer(var buffer):
      self = .discard
      defer { self = .buffer(buffer) }
      try buffer.append(bytes)
      return true
    }
  }
}
