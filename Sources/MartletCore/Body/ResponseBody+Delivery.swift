package import EssentialFoundation
import HTTPTypes
import NIOCore

/// A source that can deliver the rest of its body itself, with less effort than reading it chunk by chunk takes.
package protocol DeliveringBodySource: ResponseBodySource {
  /// Delivers all that has not been read as `handling` says.
  ///
  /// - Returns: The body there; `nil` when it is to be read instead.
  /// - Throws: `MartletError` when the exchange fails before the body has ended, or the place does.
  func deliver(_ handling: Delivery.BodyHandling) async throws -> ResponseBody?

  /// Says before the first read that the body will be collected, so that a decoder beneath keeps to its limits for
  /// memory. The default does nothing.
  func expectBuffer(_ limit: Int)
}

extension DeliveringBodySource {
  package func expectBuffer(_ limit: Int) {}
}

/// Where a body goes: the one place where a `Delivery` is carried out for bodies that are there, or are read.
extension ResponseBody {
  /// How much of an unwanted body is read to keep its connection, and how long, as an engine does.
  private static let discardLimit = 64 << 10
  private static let discardTimeout = Duration.seconds(1)

  /// The body as `handling` wants it. One that is in a file, or was discarded, stays what it is.
  ///
  /// - Parameters:
  ///   - handling: What to do with it.
  ///   - call: Whose cancellation ends the reading of a stream.
  /// - Returns: The body there.
  /// - Throws: What receiving the rest throws, `MartletError` with code `.bodyTooLarge`, or what the writer throws.
  package func delivered(_ handling: Delivery.BodyHandling, of call: Call?) async throws
    -> ResponseBody
  {
    switch storage {
    case .file, .discarded: return self
    case .bytes where handling.isDiscard: return ResponseBody(discardedWith: completion)
    case .stream(let owner): if let body = try await owner.deliver(handling) { return body }
    case .bytes: break
    }
    switch handling {
    case .stream: return streamed(of: call)
    case .discard:
      try await readAndForget()
      return ResponseBody(discardedWith: completion)
    case .buffer(let limit):
      return ResponseBody(bytes: try await collect(upTo: limit), completion: completion)
    case .file(let file): return try await written(to: PartialFile(file))
    case .writer(let writer): return try await written(to: writer)
    }
  }

  /// Says before the first read that the body will be collected.
  package func expectBuffer(_ limit: Int) {
    guard case .stream(let owner) = storage else { return }
    owner.wholeSource?.expectBuffer(limit)
  }

  /// Throws the body away: reads what little there is, to keep the connection, and gives up what is more. How it ends
  /// does not matter.
  package func discard() async {
    _ = try? await delivered(.discard, of: nil)
  }

  /// A body in memory as one that is read, so that the reading can be cancelled; any other as it is.
  package func streamed(of call: Call?) -> ResponseBody {
    guard case .bytes(let bytes) = storage else { return self }
    return ResponseBody(stream: BytesSource(bytes, completion), of: call)
  }

  private func readAndForget() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        var count = 0
        for try await chunk in self {
          count += chunk.readableBytes
          if count > Self.discardLimit { return abandon() }
        }
      }
      group.addTask {
        guard (try? await Task.sleep(for: Self.discardTimeout)) != nil else {
          throw MartletError.cancelled
        }
      }
      try await group.next()
      group.cancelAll()
    }
  }

  private func written(to writer: any ResponseBodyWriter) async throws -> ResponseBody {
    try await runOnGlobalExecutor { try await write(to: writer) }
    return ResponseBody(file: writer.url, completion: completion)
  }

  @concurrent
  private func write(to writer: any ResponseBodyWriter) async throws {
    do {
      for try await chunk in self { try writer.write([chunk]) }
      try writer.complete()
    } catch {
      writer.abandon()
      writer.close()
      throw error as? MartletError ?? .fileNotWritable(writer.url, underlying: error)
    }
  }

  /// The same body with a decoder between it and its place, which is not known yet.
  ///
  /// - Parameters:
  ///   - decoding: Makes the decoder: for `nil` of a body that is read or written a piece at a time, or for the most
  ///     bytes in memory.
  ///   - call: Whose cancellation ends the reading.
  /// - Returns: The body; that of a file as it is.
  package func decodedInPlace(
    by decoding: @escaping @Sendable (_ bufferLimit: Int?) -> ContentDecoderFactory,
    of call: Call?
  ) -> ResponseBody {
    guard case .stream(let owner) = streamed(of: call).storage else { return self }
    return ResponseBody(stream: DecodedSource(owner, decoding), of: owner.call)
  }

  /// A file as a body that is read.
  package init(reading file: URL, of call: Call?) {
    self.init(stream: FileReader(file), of: call)
  }

  /// The body of a stream that has a reader.
  init(_ owner: SharedBodySource) {
    storage = .stream(owner)
    end = nil
  }
}

/// A body that is in memory, for a reader that may be cancelled.
private final class BytesSource: ResponseBodySource {
  private let bytes: Locked<ByteBuffer?>
  let completion: ResponseBody.Completion?

  init(_ bytes: ByteBuffer, _ completion: ResponseBody.Completion?) {
    self.bytes = Locked(bytes.readableBytes > 0 ? bytes : nil)
    self.completion = completion
  }

  func next() async throws -> ByteBuffer? { bytes.withLock { $0.take() } }

  func abandon() {}
}

extension Response {
  /// The response, its body where the request's `delivery` wants it.
  ///
  /// A session does this with what its transport returns. A transport that is used alone calls it at its end.
  ///
  /// - Parameter request: What was asked.
  /// - Returns: The response. A body that is in a file, or was discarded, stays what it is.
  /// - Throws: What receiving the rest of the body throws, and what its place does: `MartletError`, with code
  ///   `.bodyTooLarge` or `.fileNotWritable` for example.
  public func delivered(for request: Request) async throws -> Response {
    do {
      var response = self
      let handling = request.delivery.handling(for: head)
      do {
        response.body = try await body.delivered(handling, of: request.call)
      } catch  where handling.isDiscard && head.status.kind != .successful && !error.isCancellation
      {
        // How the body of an error ends does not matter when it is discarded.
        response.body = ResponseBody(discardedWith: nil)
      }
      return response
    } catch var error as MartletError {
      if error.response == nil { error.response = head }
      if error.request == nil { error.request = request.withoutInterceptorState }
      throw error
    }
  }
}

extension Error {
  fileprivate var isCancellation: Bool {
    self is CancellationError || (self as? MartletError)?.code == .cancelled
  }
}
