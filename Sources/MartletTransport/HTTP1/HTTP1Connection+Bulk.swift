import MartletCore
import NIOCore

/// What makes long bodies cheap.
extension HTTP1Connection {
  /// Some of a body has come.
  func adjustMark(after bytes: ByteBuffer) {
    guard let length = parser.bodyLength, let now = exchange?.call.lastActivity else { return }
    let rest = length - parser.bodyBytes
    if let mark = mark.received(bytes.readableBytes, rest: rest, at: now) { set(mark) }
  }

  /// Some time has passed.
  func adjustMark(_ now: NIODeadline) {
    guard exchange?.isPaused == false, let mark = mark.waited(until: now) else { return }
    set(mark)
  }

  /// Without the option the reader is woken more often, and nothing else.
  private func set(_ mark: Int) {
    guard let option = ReceiveMark.option else { return }
    try? context?.channel.syncOptions?.setOption(option, value: SocketOptionValue(mark))
  }
}
