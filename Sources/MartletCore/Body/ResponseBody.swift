public import EssentialFoundation
public import HTTPTypes
public import NIOCore

/// The body of a response.
///
/// Iterate over it to read the bytes as they arrive, or collect it as a whole. A stream can be read only once. If it is
/// released before its end, the exchange ends.
///
/// Until its end has been read, a stream can be cancelled: by `cancel()`, by cancelling the Swift task that reads it, by
/// `Call.cancel()`, or by `cancel()` of a session's task. The next read then throws an error with code `.cancelled`. Bytes that have
/// arrived but were not read are dropped.
public struct ResponseBody: Sendable {
  enum Storage: Sendable {
    case bytes(ByteBuffer)
    case file(URL)
    case stream(SharedBodySource)
    case discarded
  }

  /// How a body was delivered.
  public enum Kind: Hashable, Sendable {
    /// It is in memory.
    case buffered
    /// It is a stream that is read as it arrives.
    case streamed
    /// It was written to a file or passed to a writer.
    case file
    /// It was discarded.
    case discarded
  }

  let storage: Storage
  /// A reference, so that a body stays small.
  let end: Shared<Completion>?

  /// The information that is available after the last byte has arrived.
  public struct Completion: Sendable {
    /// The trailer fields.
    public var trailers: HTTPFields?
    /// The final metrics; `nil` keeps the metrics of the response.
    public var metrics: ExchangeMetrics?

    /// A completion from its parts.
    public init(trailers: HTTPFields? = nil, metrics: ExchangeMetrics? = nil) {
      self.trailers = trailers
      self.metrics = metrics
    }
  }

  /// An empty body.
  public static let empty = ResponseBody(bytes: ByteBuffer())

  /// A body in memory.
  public init(bytes: ByteBuffer, completion: Completion? = nil) {
    storage = .bytes(bytes)
    end = completion.map(Shared.init)
  }

  /// A body that was written to a file.
  public init(file url: URL, completion: Completion? = nil) {
    storage = .file(url)
    end = completion.map(Shared.init)
  }

  /// A body that is read from `source`. When the last copy is released, `source` is abandoned.
  public init(stream source: any ResponseBodySource) {
    self.init(stream: source, of: nil)
  }

  /// A body that is read from `source`; cancelling the call ends the reading.
  package init(stream source: any ResponseBodySource, of call: Call?) {
    storage = .stream(SharedBodySource(source, of: call))
    end = nil
  }

  /// A body that was discarded.
  package init(discardedWith completion: Completion?) {
    storage = .discarded
    end = completion.map(Shared.init)
  }

  /// How the body was delivered.
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
    if case .stream(let owner) = storage { owner.completion } else { end?.value }
  }

  /// The bytes if the whole body is in memory; an empty buffer if the body was discarded; else `nil`.
  public var bytes: ByteBuffer? {
    switch storage {
    case .bytes(let bytes): bytes
    case .discarded: ByteBuffer()
    case .file, .stream: nil
    }
  }

  /// The location of the body if it was written to a file; else `nil`.
  public var file: URL? {
    if case .file(let url) = storage { url } else { nil }
  }

  /// Returns the decoded body. A stream is decoded while it is read. A body that is in a file or was discarded is
  /// unchanged.
  ///
  /// - Throws: What the decoder throws for a body in memory, which is decoded at once.
  public func decoded(by decoding: ContentDecoderFactory) throws -> ResponseBody {
    switch storage {
    case .file, .discarded: return self
    case .stream(let owner):
      return ResponseBody(stream: DecodedSource(owner) { _ in decoding }, of: owner.call)
    case .bytes(let bytes):
      guard bytes.readableBytes > 0 else { return self }
      return ResponseBody(bytes: try decoding.decoded(bytes), completion: end?.value)
    }
  }

  /// Ends a stream before its end has been read, and releases the connection. The next read throws an error with code
  /// `.cancelled`. A body that is in memory or in a file is unchanged.
  public func cancel() {
    if case .stream(let owner) = storage { owner.abandon() }
  }

  /// Reads the rest of the body into memory.
  ///
  /// - Parameter limit: The most bytes to accept. The default is `Delivery.defaultBufferLimit`.
  /// - Returns: All bytes that had not been read yet.
  /// - Throws: `MartletError` with code `.bodyTooLarge`, or the error of the exchange.
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

/// The source of a body that arrives while it is read.
///
/// `next()` is called again only after it has returned, provided that the caller reads the body from one place.
public protocol ResponseBodySource: Sendable {
  /// Returns the next bytes, or `nil` at the end.
  ///
  /// - Throws: `MartletError` when the exchange fails before the body has ended.
  func next() async throws -> ByteBuffer?
  /// Ends the reading and releases the connection. A pending `next()` returns.
  func abandon()
  /// Trailers and final metrics, once the body has ended.
  var completion: ResponseBody.Completion? { get }
}

extension ResponseBody: AsyncSequence {
  /// Iterates over the body's bytes in order.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate enum Rest {
      case bytes(ByteBuffer)
      case file(FileReader)
      case stream(SharedBodySource)
      case nothing
    }

    fileprivate var rest: Rest

    /// Returns the next bytes, or `nil` at the end.
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

    /// Returns the next bytes, or `nil` at the end; called by `for await`, which passes its own actor.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> ByteBuffer? {
      try await next()
    }
  }

  /// Returns an iterator from the first byte, or, for a stream, from the first byte that was not read yet.
  public func makeAsyncIterator() -> Iterator {
    switch storage {
    case .discarded: Iterator(rest: .nothing)
    case .bytes(let bytes): Iterator(rest: .bytes(bytes))
    case .stream(let owner): Iterator(rest: .stream(owner))
    case .file(let url): Iterator(rest: .file(FileReader(url)))
    }
  }
}
