public import EssentialFoundation
public import HTTPTypes
public import NIOCore

/// The body of a response.
///
/// Iterate it to take the bytes as they come, or collect it whole. A stream can be read once;
/// dropping it before its end ends the exchange.
///
/// Until its end has been read, a stream can be cancelled: by `Call.cancel()`, by cancelling the Swift task
/// that reads it, or by `cancel()` of a session's task. The next read throws an error of code `.cancelled` then, in
/// place of what has arrived and was not read, even if the whole body has.
public struct ResponseBody: Sendable {
  enum Storage: Sendable {
    case bytes(ByteBuffer)
    case file(URL)
    case stream(SharedBodySource)
    case discarded
  }

  /// What became of a body.
  public enum Kind: Hashable, Sendable {
    /// It is in memory.
    case buffered
    /// It is read as it comes.
    case streamed
    /// It was written to a file, or handed to a writer.
    case file
    /// It was thrown away.
    case discarded
  }

  let storage: Storage
  let end: Completion?

  /// What is known once the last byte is in.
  public struct Completion: Sendable {
    /// The fields that followed the body.
    public var trailers: HTTPFields?
    /// The final metrics; `nil` leaves the response's own in place.
    public var metrics: ExchangeMetrics?

    /// A completion from its parts.
    public init(trailers: HTTPFields? = nil, metrics: ExchangeMetrics? = nil) {
      self.trailers = trailers
      self.metrics = metrics
    }
  }

  /// No bytes.
  public static let empty = ResponseBody(bytes: ByteBuffer())

  /// A body that is in memory already.
  public init(bytes: ByteBuffer, completion: Completion? = nil) {
    storage = .bytes(bytes)
    end = completion
  }

  /// A body that was written to a file.
  public init(file url: URL, completion: Completion? = nil) {
    storage = .file(url)
    end = completion
  }

  /// A body that is pulled from `source`, which is abandoned when the last copy is dropped.
  public init(stream source: any ResponseBodySource) {
    self.init(stream: source, of: nil)
  }

  /// The same, of a call whose cancellation ends the reading.
  package init(stream source: any ResponseBodySource, of call: Call?) {
    storage = .stream(SharedBodySource(source, of: call))
    end = nil
  }

  /// A body that was thrown away.
  package init(discardedWith completion: Completion?) {
    storage = .discarded
    end = completion
  }

  /// What became of the body.
  public var kind: Kind {
    switch storage {
    case .bytes: .buffered
    case .stream: .streamed
    case .file: .file
    case .discarded: .discarded
    }
  }

  /// Trailers and final metrics, once the body has ended.
  public var completion: Completion? {
    if case .stream(let owner) = storage { owner.completion } else { end }
  }

  /// The bytes, when the whole body is in memory; none, when it was discarded.
  public var bytes: ByteBuffer? {
    switch storage {
    case .bytes(let bytes): bytes
    case .discarded: ByteBuffer()
    case .file, .stream: nil
    }
  }

  /// Where the body is, when it was written to a file.
  public var file: URL? {
    if case .file(let url) = storage { url } else { nil }
  }

  /// The same body with a decoder between it and the reader.
  ///
  /// - Throws: What the decoder throws for a body that is in memory.
  public func decoded(by decoding: ContentDecoderFactory) throws -> ResponseBody {
    switch storage {
    case .file, .discarded: return self
    case .stream(let owner):
      return ResponseBody(stream: DecodedSource(owner) { _ in decoding }, of: owner.call)
    case .bytes(let bytes):
      guard bytes.readableBytes > 0 else { return self }
      return ResponseBody(bytes: try decoding.decoded(bytes), completion: end)
    }
  }

  /// Ends the reading of a stream, unless its end has been read.
  package func abandon() {
    if case .stream(let owner) = storage { owner.abandon() }
  }

  /// The whole body in memory.
  ///
  /// - Parameter limit: The most bytes to accept. The default is `Delivery.defaultBufferLimit`.
  /// - Returns: All bytes that had not been taken yet.
  /// - Throws: `MartletError` with code `.bodyTooLarge`, or what ended the exchange early.
  public func collect(upTo limit: Int = Delivery.defaultBufferLimit) async throws -> ByteBuffer {
    let limit = Swift.min(limit, ByteBuffer.largest)
    var whole = ByteBuffer()
    for try await chunk in self {
      guard whole.readableBytes + chunk.readableBytes <= limit else {
        throw MartletError.bodyTooLarge(limit: limit)
      }
      if whole.readableBytes == 0 { whole = chunk } else { whole.writeImmutableBuffer(chunk) }
    }
    return whole
  }
}

/// A body that arrives while it is read.
///
/// Reading is one at a time: `next()` is not called again before it has returned.
public protocol ResponseBodySource: Sendable {
  /// The next bytes, or `nil` at the end.
  ///
  /// - Throws: `MartletError` when the exchange fails before the body has ended.
  func next() async throws -> ByteBuffer?
  /// No more is read: release the connection. A pending `next()` returns.
  func abandon()
  /// Trailers and final metrics, once the body has ended.
  var completion: ResponseBody.Completion? { get }
}

extension ResponseBody: AsyncSequence {
  /// Hands out the body's bytes in order.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate enum Rest {
      case bytes(ByteBuffer)
      case file(FileReader)
      case stream(SharedBodySource)
      case nothing
    }

    fileprivate var rest: Rest

    /// The next bytes, or `nil` at the end.
    public mutating func next() async throws -> ByteBuffer? {
      switch rest {
      case .nothing: return nil
      case .stream(let owner): return try await owner.next()
      case .file(let reader): return try await reader.next()
      case .bytes(let bytes):
        rest = .nothing
        return bytes.readableBytes > 0 ? bytes : nil
      }
    }

    /// The next bytes, or `nil` at the end; what `for await` calls, without leaving its actor.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> ByteBuffer? {
      try await next()
    }
  }

  /// An iterator from the first byte, or, for a stream, from the first byte not yet taken.
  public func makeAsyncIterator() -> Iterator {
    switch storage {
    case .discarded: Iterator(rest: .nothing)
    case .bytes(let bytes): Iterator(rest: .bytes(bytes))
    case .stream(let owner): Iterator(rest: .stream(owner))
    case .file(let url): Iterator(rest: .file(FileReader(url)))
    }
  }
}
