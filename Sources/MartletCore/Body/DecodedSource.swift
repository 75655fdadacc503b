import EssentialFoundation
import NIOCore

/// A body source that decodes the bytes of another source.
///
/// Small pieces are decoded on the reader's actor. As soon as a chunk or a decoded piece is large, the rest of that
/// chunk is decoded on the global executor.
final class DecodedSource: DeliveringBodySource {
  /// Returns the factory for at most `bufferLimit` bytes in memory. If the limit is `nil`, the body is handled in
  /// pieces.
  typealias Decoding = @Sendable (_ bufferLimit: Int?) -> ContentDecoderFactory

  private let shared: SharedBodySource
  private let decoding: Decoding
  private let state: Locked<State>

  /// Unchecked because a decoder need not be `Sendable`. This source alone uses it, and only while it holds the lock.
  private struct State: @unchecked Sendable {
    /// The decoder, made at the first read.
    var decoder: PieceDecoder?
    /// The most bytes of the decoded body in memory; `nil` for a body that is read in pieces.
    var bufferLimit: Int?
    var isLarge = false

    mutating func append(_ chunk: ByteBuffer) {
      decoder?.append(chunk)
      isLarge = chunk.isLargeBody
    }

    mutating func nextSmall() throws -> ByteBuffer? {
      let piece = try decoder?.next(upTo: ByteBuffer.largeBody)
      isLarge = piece?.isLargeBody ?? false
      return piece
    }
  }

  init(_ owner: SharedBodySource, _ decoding: @escaping Decoding) {
    self.shared = owner
    self.decoding = decoding
    state = Locked(State())
  }

  func next() async throws -> ByteBuffer? {
    try state.withLock { [decoding] state in
      state.decoder = try state.decoder ?? PieceDecoder(decoding(state.bufferLimit))
    }
    while true {
      if let piece = try await nextPiece() { return piece }
      guard let chunk = try await shared.next() else { break }
      state.withLock { $0.append(chunk) }
    }
    try state.withLock { try $0.decoder?.finish() }
    return nil
  }

  private func nextPiece() async throws -> ByteBuffer? {
    guard !state.withLock({ $0.isLarge }) else {
      return try await runOnGlobalExecutor { try await nextLarge() }
    }
    return try state.withLock { try $0.nextSmall() }
  }

  @concurrent
  private func nextLarge() async throws -> ByteBuffer? {
    try state.withLock { try $0.decoder?.next() }
  }

  /// For a file, the body is decoded when it is written. A body that is discarded or passed to a writer is not decoded.
  func deliver(_ handling: Delivery.BodyHandling) async throws -> ResponseBody? {
    // If some of the body has been read, the rest must be read from here, too.
    guard state.withLock({ $0.decoder == nil }) else { return nil }
    let coded = ResponseBody(shared)
    switch handling {
    case .stream:
      _ = try await shared.deliver(.stream)
      return nil
    case .buffer(let limit):
      expectBuffer(limit)
      return nil
    case .file(var file):
      file.decoderFactory = decoding(nil)
      return try await coded.delivered(.file(file), of: shared.call)
    case .discard, .writer: return try await coded.delivered(handling, of: shared.call)
    }
  }

  func expectBuffer(_ limit: Int) {
    state.withLock { $0.bufferLimit = limit }
  }

  func abandon() { shared.abandon() }

  var completion: ResponseBody.Completion? { shared.completion }
}
