import Foundation
import MartletCore
import NIOCore

/// What makes long bodies cheap.
extension HTTP1Connection {
  /// Without a byte for so long, a fast body is none.
  private static let patience = TimeAmount.milliseconds(20)

  /// Some of a body has come.
  func adjustMark(after bytes: ByteBuffer) {
    guard let length = parser.bodyLength, let now = exchange?.call.lastActivity else { return }
    let rest = length - parser.bodyBytes
    if let mark = mark.received(bytes.readableBytes, rest: rest, at: now) { set(mark) }
  }

  /// Some time has passed.
  func adjustMark(_ now: NIODeadline) {
    guard let exchange, !exchange.isPaused, now - exchange.call.lastActivity >= Self.patience
    else { return }
    if let mark = mark.waited() { set(mark) }
  }

  /// A socket that does not know the option, or does not heed it, has its reader woken more often.
  private func set(_ mark: Int) {
    let option = ChannelOptions.socketOption(.init(rawValue: SO_RCVLOWAT))
    try? context?.channel.syncOptions?.setOption(option, value: mark)
  }
}
