import NIOCore

/// What a handler does not pass on yet: the parts that have arrived, in order, and the request for more.
///
/// It is a class, because the handler may be called again while it passes a part on.
final class HeldReads {
  private var parts: [NIOAny] = []
  private var isReadHeld = false

  var isEmpty: Bool { parts.isEmpty }

  func append(_ part: NIOAny) {
    parts.append(part)
  }

  func holdRead() {
    isReadHeld = true
  }

  /// Takes the first part; `nil` if there is none.
  func next() -> NIOAny? {
    parts.isEmpty ? nil : parts.removeFirst()
  }

  /// Passes the request for more on, if there was one.
  func passRead(_ context: ChannelHandlerContext) {
    guard isReadHeld else { return }
    isReadHeld = false
    context.read()
  }

  /// Passes everything on.
  func passAll(_ context: ChannelHandlerContext) {
    let hasParts = !isEmpty
    while let part = next() { context.fireChannelRead(part) }
    if hasParts { context.fireChannelReadComplete() }
    passRead(context)
  }

  /// Drops everything.
  func drop() {
    parts = []
    isReadHeld = false
  }
}
