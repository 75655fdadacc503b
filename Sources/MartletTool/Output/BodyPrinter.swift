import EssentialFoundation
import MartletEssentials
import NIOCore

/// Writes one body to standard output or to a device, as it arrives.
final class BodyPrinter: Sendable {
  private struct State {
    /// The formatter of the body for a terminal; `nil` if its bytes are written unchanged.
    var text: BodyText?
    var last: UInt8?
  }

  private let output: OutputHandle
  private let state: Locked<State>

  /// - Parameters:
  ///   - output: The output to write to.
  ///   - text: The formatter of the body. The default, `nil`, writes its bytes unchanged.
  init(output: OutputHandle, reading text: BodyText? = nil) {
    self.output = output
    state = Locked(State(text: text))
  }

  /// Whether nothing was written, or the output ends with a line break.
  var endsLine: Bool { state.withLock { $0.last == nil || $0.last == UInt8(ascii: "\n") } }

  /// Writes the body of a response.
  func copy(_ body: ResponseBody) async throws {
    for try await chunk in body {
      try write(chunk)
      if isOver { return }
    }
    try finish()
  }

  /// Writes the body of a request.
  func copy(_ body: RequestBody) async throws {
    switch body.source {
    case .empty: return
    case .bytes(let bytes): try await copy(ResponseBody(bytes: bytes))
    case .file(let range):
      try await copy(ResponseBody(file: URL(fileURLWithPath: range.path)))
    case .producer(let produce):
      try await produce { [self] chunk in try write(chunk) }
      try finish()
    }
  }

  /// Whether the rest of the body is not written.
  private var isOver: Bool { state.withLock { $0.text?.isOver ?? false } }

  private func write(_ chunk: ByteBuffer) throws {
    if let shown = state.withLock({ $0.text?.take(chunk) }) { return try write(shown) }
    try output.write(chunk)
    note(chunk.readableBytesView.last)
  }

  private func finish() throws {
    if let shown = state.withLock({ $0.text?.finish() }) { try write(shown) }
  }

  private func write(_ text: String) throws {
    try output.write(text)
    note(text.utf8.last)
  }

  private func note(_ last: UInt8?) {
    guard let last else { return }
    state.withLock { $0.last = last }
  }
}
