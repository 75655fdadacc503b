import MartletCore
import NIOCore

/// Sends a body that takes more than one write, pulling the next chunk when there is room for it.
///
/// Unchecked because it is confined to the connection's event loop, but for `write`, which hops there
/// before it touches anything.
final class BodyUpload: @unchecked Sendable {
  private let body: Body
  private let loop: any EventLoop
  /// Puts a chunk on the wire, and tells whether there is room for another.
  private let send: (ByteBuffer) -> Bool
  /// The body is complete, or cannot be completed.
  private let finished: (Result<Void, MartletError>) -> Void
  private var task: Task<Void, Never>?
  private var producer: CheckedContinuation<Void, any Error>?
  private var sent: Int64 = 0
  private var isOver = false

  init(
    _ body: Body, loop: any EventLoop, send: @escaping (ByteBuffer) -> Bool,
    finished: @escaping (Result<Void, MartletError>) -> Void
  ) {
    self.body = body
    self.loop = loop
    self.send = send
    self.finished = finished
  }

  /// Begins, or does nothing when it has begun.
  func start() {
    guard task == nil, !isOver else { return }
    task = Task { [self] in
      let result: Result<Void, MartletError>
      do {
        try await BodyChunks.write(body) { [self] chunk in try await writeInPieces(chunk) }
        result = .success(())
      } catch {
        result = .failure(
          error as? MartletError ?? .bodyNotReadable(underlying: error))
      }
      loop.execute { self.end(result) }
    }
  }

  /// There is room again.
  func goOn() {
    producer?.resume()
    producer = nil
  }

  /// Nobody wants the rest.
  func cancel() {
    isOver = true
    task?.cancel()
    producer?.resume(throwing: CancellationError())
    producer = nil
  }

  /// A chunk of any size goes out in pieces, so that a suspended exchange does not send all of it.
  private func writeInPieces(_ chunk: ByteBuffer) async throws {
    var rest = chunk
    while rest.readableBytes > BodyChunks.size, let piece = rest.readSlice(length: BodyChunks.size)
    {
      try await write(piece)
    }
    try await write(rest)
  }

  private func write(_ chunk: ByteBuffer) async throws {
    try await withCheckedThrowingContinuation { continuation in
      loop.execute { self.take(chunk, from: continuation) }
    }
  }

  private func take(_ chunk: ByteBuffer, from producer: CheckedContinuation<Void, any Error>) {
    guard !isOver else { return producer.resume(throwing: CancellationError()) }
    sent += Int64(chunk.readableBytes)
    if let length = body.length, sent > length {
      producer.resume(throwing: MartletError.bodyLengthMismatch(announced: length, sent: sent))
      return
    }
    // Kept before sending: whatever ends the exchange on the way finds somebody to tell.
    self.producer = producer
    if chunk.readableBytes == 0 || send(chunk) { goOn() }
  }

  private func end(_ result: Result<Void, MartletError>) {
    guard !isOver else { return }
    isOver = true
    if case .success = result, let length = body.length, sent != length {
      return finished(.failure(.bodyLengthMismatch(announced: length, sent: sent)))
    }
    finished(result)
  }
}
