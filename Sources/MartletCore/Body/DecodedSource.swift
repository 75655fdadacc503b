import EssentialFoundation
import NIOCore

/// Puts a decoder between a source and its reader.
///
/// The reader's own actor decodes what is small. As soon as a chunk, or what comes of it, is large, the
/// rest of that chunk is decoded elsewhere.
final class DecodedSource: DeliveringBodySource {
  /// Makes what decodes a body: `nil` for one that is read or written a piece at a time, or the most bytes in memory.
  typealias Decoding = @Sendable (_ bufferLimit: Int?) -> ContentDecoderFactory

  private let shared: SharedBodySource
  private let decoding: Decoding
  private let state: Locked<State>

  /// Unchecked because a decoder need not be `Sendable`: it was made for this source alone, and the
  /// lock around the state is the only way to it.
  private struct State: @unchecked Sendable {
    /// Made with the first read.
    var pieces: DecodedPieces?
    /// How many bytes are to be in memory; `nil` for a body that is read a piece at a time.
    var bufferLimit: Int?
    var isLarge = false

    mutating func append(_ chunk: ByteBuffer) {
      pieces?.append(chunk)
      isLarge = chunk.isLargeBody
    }

    mutating func nextSmall() throws -> ByteBuffer? {
      let piece = try pieces?.next(upTo: ByteBuffer.largeBody)
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
      state.pieces = try state.pieces ?? DecodedPieces(decoding(state.bufferLimit))
    }
    while true {
      if let piece = try await nextPiece() { return piece }
      guard let chunk = try await shared.next() else { break }
      state.withLock { $0.append(chunk) }
    }
    try state.withLock { try $0.pieces?.finish() }
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
    try state.withLock { try $0.pieces?.next() }
  }

  /// A file is decoded where it is written; what is discarded is not decoded. A writer gets what came.
  func deliver(_ handling: Delivery.BodyHandling) async throws -> ResponseBody? {
    // Who has read some of it reads the rest as well.
    guard state.withLock({ $0.pieces == nil }) else { return nil }
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
