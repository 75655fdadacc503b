package import EssentialFoundation
import HTTPTypes
import NIOCore

/// A source that can deliver the rest of its body itself, at less cost than reading it chunk by chunk.
package protocol DeliveringBodySource: ResponseBodySource {
  /// Delivers the unread rest of the body according to `handling`.
  ///
  /// - Returns: The delivered body; `nil` if the caller must read the body instead.
  /// - Throws: `MartletError` when the exchange fails before the body has ended, or the body cannot be written.
  func deliver(_ handling: Delivery.BodyHandling) async throws -> ResponseBody?

  /// Called before the first read if the body will be collected in memory, so that a decoder applies this limit.
  ///
  /// The default does nothing.
  func expectBuffer(_ limit: Int)
}

extension DeliveringBodySource {
  package func expectBuffer(_ limit: Int) {}
}

/// Applies a `Delivery` to a body that is in memory, or that is read.
extension ResponseBody {
  /// The limits for reading a discarded body to keep its connection. The engine has its own limits.
  private static let discardLimit = 64 << 10
  private static let discardTimeout = Duration.seconds(1)

  /// Delivers the body according to `handling`. A body that is in a file or was discarded is returned unchanged.
  ///
  /// - Parameters:
  ///   - handling: How the body is handled.
  ///   - call: The call whose cancellation ends the reading of a stream.
  /// - Returns: The delivered body.
  /// - Throws: What receiving the rest throws; `MartletError` with code `.bodyTooLarge`, or with code
  ///   `.fileNotWritable` when the writer throws an error of another type.
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
      try await drain()
      return ResponseBody(discardedWith: completion)
    case .buffer(let limit):
      return ResponseBody(bytes: try await collect(upTo: limit), completion: completion)
    case .file(let file): return try await written(to: PartialFile(file))
    case .writer(let writer): return try await written(to: writer)
    }
  }

  /// Called before the first read if the body will be collected.
  package func expectBuffer(_ limit: Int) {
    guard case .stream(let owner) = storage else { return }
    owner.deliveringSource?.expectBuffer(limit)
  }

  /// Discards the body: reads a short body to keep the connection, and abandons a longer one. Errors are ignored.
  package func discard() async {
    _ = try? await delivered(.discard, of: nil)
  }

  /// Returns a body in memory as a stream, so that reading it can be cancelled; any other body unchanged.
  package func streamed(of call: Call?) -> ResponseBody {
    guard case .bytes(let bytes) = storage else { return self }
    return ResponseBody(stream: BytesSource(bytes, completion), of: call)
  }

  private func drain() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        var count = 0
        for try await chunk in self {
          count += chunk.readableBytes
          if count > Self.discardLimit { return cancel() }
        }
      }
      group.addTask {
        guard (try? await Task.sleep(for: Self.discardTimeout)) != nil else {
          throw MartletError.cancelled
        }
      }
      // A body that is not at its end then is not read any more. The other task ends by that, too.
      defer { cancel() }
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

  /// Returns a body that decodes this body while it is read or written. Its delivery need not be known yet.
  ///
  /// - Parameters:
  ///   - decoding: Returns the decoder factory. Its argument is the most bytes in memory, or `nil` for a body that is
  ///     read or written in pieces.
  ///   - call: The call whose cancellation ends the reading.
  /// - Returns: The decoded body. A body that is in a file or was discarded is unchanged.
  package func decodedInPlace(
    by decoding: @escaping @Sendable (_ bufferLimit: Int?) -> ContentDecoderFactory,
    of call: Call?
  ) -> ResponseBody {
    guard case .stream(let owner) = streamed(of: call).storage else { return self }
    return ResponseBody(stream: DecodedSource(owner, decoding), of: owner.call)
  }

  /// A body that is read from a file, which may be open already.
  package init(reading url: URL, _ file: OpenFile? = nil, of call: Call?) {
    self.init(stream: FileReader(url, file), of: call)
  }

  /// Returns a part of the unread bytes of a body that is read from a file; `nil` for any other body.
  ///
  /// - Parameters:
  ///   - offset: The offset of the first byte. The default is 0.
  ///   - count: The number of bytes. The default is all.
  ///   - call: The call whose cancellation ends the reading.
  /// - Returns: A body that can be read independently of this one.
  package func fileSlice(_ offset: Int64 = 0, _ count: Int64 = .max, of call: Call?)
    -> ResponseBody?
  {
    guard case .stream(let owner) = storage, let reader = owner.fileReader else { return nil }
    return ResponseBody(stream: reader.slice(offset, count), of: call)
  }

  /// A body that shares an existing stream.
  init(_ owner: SharedBodySource) {
    storage = .stream(owner)
    end = nil
  }
}

/// Serves a body in memory as a stream, so that reading it can be cancelled.
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
  /// Returns the response with its body delivered according to the request's `delivery`.
  ///
  /// A session calls this for the response of its transport. A transport that is used without a session calls it before
  /// it returns.
  ///
  /// - Parameter request: The request.
  /// - Returns: The response. A body that is in a file or was discarded is unchanged.
  /// - Throws: `MartletError` if the rest of the body cannot be received or written, for example with code
  ///   `.bodyTooLarge` or `.fileNotWritable`.
  public func delivered(for request: Request) async throws -> Response {
    do {
      var response = self
      let handling = request.delivery.handling(for: head)
      do {
        response.body = try await body.delivered(handling, of: request.call)
      } catch  where handling.isDiscard && head.status.kind != .successful && !error.isCancellation
      {
        // Errors in the discarded body of an unsuccessful response are ignored.
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
