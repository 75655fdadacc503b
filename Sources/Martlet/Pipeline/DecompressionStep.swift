import HTTPTypes
public import MartletCore
import NIOCore
import Synchronization

/// Asks for compressed bodies and hands out what was compressed.
///
/// Only a request without an `Accept-Encoding` of its own asks for compression. Whoever names an encoding by
/// hand gets the body as the server sent it, and so does whoever asks for a part of it: parts of a
/// compressed body cannot be decompressed (RFC 9110 §14.2). Whoever names `identity`, which is none, gets
/// decompressed what a server compresses all the same. A file holds the decompressed bytes. The header
/// fields stay as they came, `Content-Encoding` and `Content-Length` included.
public struct DecompressionStep: Step {
  /// How much a body may swell.
  public var limits: Limits

  /// How much a body may swell before it is given up: gzip can make a thousand bytes of one.
  public struct Limits: Hashable, Sendable {
    /// The most bytes after decompression. The default is 1 GiB. A buffered body is bounded by the
    /// limit of its delivery as well; what is streamed or written to a file is bounded by `ratio` alone.
    public var size = 1 << 30
    /// How many times larger than what has come of its compressed form a body may be, once it is larger than
    /// `harmlessSize`. The default is 100: JSON comes to 15, logs come to 40, and what is made to swell comes to 1000.
    public var ratio = 100
    /// The size in bytes, after decompression, up to which the ratio does not count. The default is 10 MiB.
    public var harmlessSize = 10 << 20
    /// How many times over a body may be compressed. The default is 2.
    public var codings = 2

    /// Limits with the documented defaults.
    public init() {}

    /// Whether more came out than may come of what went in.
    ///
    /// - Parameters:
    ///   - produced: How many bytes came out so far.
    ///   - received: How many bytes of the compressed form are at hand, those that are decompressed next among
    ///     them: a body may begin with what swells most.
    /// - Returns: Whether the body is to be given up.
    func areExceeded(by produced: Int, from received: Int) -> Bool {
      // Whether the one is more than so many times the other, without a product that may overflow.
      produced > harmlessSize && (produced - 1) / max(received, 1) >= ratio
    }
  }

  /// A step with the given limits.
  public init(_ limits: Limits = Limits()) {
    self.limits = limits
  }

  /// Sends the request with `Accept-Encoding: gzip, deflate` and decompresses what comes back.
  ///
  /// - Throws: What `next` throws; `MartletError` with code `.contentDecodingFailed`,
  ///   `.decompressionLimitExceeded`, or `.bodyTooLarge` when the body outgrows the limit of
  ///   `request.delivery`.
  public func send(_ request: Request, next: Next) async throws -> Response {
    let wish = wish(of: request)
    var request = request
    if wish == .ask { request.headers.append(.acceptsCompression) }
    let noted = BufferLimit()
    request.delivery = decoding(request.delivery, noting: noted)
    let response = try await next.send(request)
    guard let codings = ContentCodings(response.head) else { return response }
    return try await decoded(
      response, by: codings, bufferLimit: noted.bytes.load(ordering: .relaxed))
  }

  private enum Wish {
    /// What comes is handed out as it is.
    case leaveAlone
    /// What comes compressed is decompressed, though nobody asks for compression.
    case decompress
    /// Compression is asked for.
    case ask
  }

  private func wish(of request: Request) -> Wish {
    var wish = Wish.ask
    for field in request.headers {
      if field.name == .range { return .leaveAlone }
      guard field.name == .acceptEncoding else { continue }
      guard field.value == "identity", wish == .ask else { return .leaveAlone }
      wish = .decompress
    }
    return wish
  }

  /// What is streamed or written to a file is decompressed a piece at a time, so that its size costs no
  /// memory: the ratio alone bounds it.
  ///
  /// The caller is asked once: `bufferLimit` takes how many bytes may end up in memory.
  private func decoding(_ delivery: Delivery, noting bufferLimit: BufferLimit) -> Delivery {
    Delivery { [limits] head in
      let choice = delivery.choice(for: head)
      guard let codings = ContentCodings(head) else { return choice }
      switch choice {
      case .file(var file):
        file.decoding = codings.decoding(limits, size: .max)
        return .file(file)
      case .buffer(let limit):
        bufferLimit.bytes.store(limit, ordering: .relaxed)
        return choice
      case .discard, .stream, .writer: return choice
      }
    }
  }

  private func decoded(
    _ response: Response, by codings: ContentCodings, bufferLimit: Int
  ) async throws -> Response {
    var response = response
    do {
      if let bytes = response.body.bytes {
        let decoding = codings.decoding(limits, size: limits.size, buffer: bufferLimit)
        response.body = ResponseBody(
          bytes: try await decoding.decodedAside(bytes), completion: response.body.completion)
      } else {
        response.body = try response.body.decoded(
          by: codings.decoding(limits, size: .max))
      }
      return response
    } catch var error as MartletError {
      error.response = response.head
      throw error
    }
  }

  /// A file has to be told of the decompression, and so has a delivery that the head decides.
  public func prepare(_ request: inout Request, _ context: CallContext) -> Preparation {
    let wish = wish(of: request)
    guard wish != .leaveAlone else { return .done }
    guard request.delivery.bufferLimit != nil else { return .waiting }
    if wish == .ask { request.headers.append(.acceptsCompression) }
    return .watching
  }

  /// Lets what is not compressed pass.
  public func passes(_ response: Response, to request: Request, _ context: CallContext) -> Bool {
    ContentCodings(response.head) == nil
  }

  /// The response, decompressed.
  ///
  /// - Throws: `MartletError` with the codes that `send` throws.
  public func response(
    after response: consuming Response, to request: Request, next: Next
  ) async throws -> Response {
    guard let limit = request.delivery.bufferLimit, let codings = ContentCodings(response.head)
    else { return response }
    return try await decoded(response, by: codings, bufferLimit: limit)
  }
}

extension Delivery {
  /// How many bytes of a body may end up in memory; `nil` while that is open, and for a file.
  fileprivate var bufferLimit: Int? {
    switch fixedChoice {
    case .buffer(let limit): limit
    case .discard, .stream, .writer: .max
    case .file, nil: nil
    }
  }
}

/// How many bytes of a body may end up in memory: noted with the head, before anybody has the response.
private final class BufferLimit: Sendable {
  let bytes = Atomic(Int.max)
}

extension HTTPField {
  fileprivate static let acceptsCompression = HTTPField(
    name: .acceptEncoding, value: "gzip, deflate")
}
