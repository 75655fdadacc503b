import HTTPTypes
public import MartletCore

/// Asks for compressed bodies and hands out what was compressed.
///
/// Only a request without an `Accept-Encoding` of its own asks for compression. A caller that names an encoding
/// gets the body as the server sent it, and so does one that asks for a part of it: parts of a
/// compressed body cannot be decompressed (RFC 9110 §14.2). A caller that names `identity`, which is none, gets
/// decompressed what a server compresses all the same. A file holds the decompressed bytes. The header
/// fields stay as they came, `Content-Encoding` and `Content-Length` included.
public struct DecompressionInterceptor: Interceptor {
  /// How much a body may swell.
  public var limits: Limits

  /// How much a body may swell before it is given up: gzip can make a thousand bytes of one.
  public struct Limits: Hashable, Sendable {
    /// The most bytes after decompression. The default is 1 GiB. A buffered body is bounded by the
    /// limit of its delivery as well; what is streamed or written to a file is bounded by `ratio` alone.
    public var size = 1 << 30
    /// How many times larger than what has come of its compressed form a body may be, once it is larger than
    /// `ratioExemptSize`. The default is 100: JSON comes to 15, logs come to 40, and what is made to swell comes to
    /// 1000.
    public var ratio = 100
    /// The size in bytes, after decompression, up to which the ratio does not count. The default is 10 MiB.
    public var ratioExemptSize = 10 << 20
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
      produced > ratioExemptSize && (produced - 1) / max(received, 1) >= ratio
    }
  }

  /// An interceptor with the given limits.
  public init(_ limits: Limits = Limits()) {
    self.limits = limits
  }

  private enum Action {
    /// What comes is handed out as it is.
    case none
    /// What comes compressed is decompressed, though the request does not ask for compression.
    case decompress
    /// Compression is asked for.
    case requestCompression
  }

  private func action(for request: Request) -> Action {
    var action = Action.requestCompression
    for field in request.headers where field.name.decidesOnCoding {
      guard field.name == .acceptEncoding else { return .none }
      guard field.value == "identity", action == .requestCompression else { return .none }
      action = .decompress
    }
    return action
  }

  /// Asks for compression, unless the request says something of its own about it.
  public func prepare(_ request: inout Request, context: CallContext) -> RequestPreparation {
    let action = action(for: request)
    if action == .requestCompression { request.headers.append(.acceptsCompression) }
    return action == .none ? .passThrough : .inspectResponse
  }

  /// Waits for what is compressed.
  public func inspect(_ response: Response, to request: Request, context: CallContext)
    -> ResponseInspection
  {
    ContentCodings(response.head) == nil ? .passThrough : .replaceResponse
  }

  /// The response, decompressed: at once if it is in memory and is to be there, else while it is read or written.
  ///
  /// What is streamed or written to a file is decompressed a piece at a time, so that its size costs no memory: the
  /// ratio alone bounds it.
  ///
  /// - Throws: `MartletError` with code `.contentDecodingFailed`, `.decompressionLimitExceeded`, or `.bodyTooLarge` when
  ///   the body outgrows the limit of `request.delivery`.
  public func response(
    replacing response: consuming Response, to request: Request, next: Next
  ) async throws -> Response {
    guard let codings = ContentCodings(response.head) else { return response }
    let decoding = { @Sendable [limits] (bufferLimit: Int?) in
      codings.decoding(
        limits, size: bufferLimit == nil ? .max : limits.size, buffer: bufferLimit ?? .max)
    }
    do {
      // The body of a redirect or a challenge may be discarded.
      if response.status.kind == .successful, let bytes = response.body.bytes,
        case .buffer(let limit) = request.delivery.fixedHandling
      {
        response.body = ResponseBody(
          bytes: try await decoding(limit).decodedOffActor(bytes),
          completion: response.body.completion)
      } else {
        response.body = response.body.decodedInPlace(by: decoding, of: request.call)
      }
      return response
    } catch var error as MartletError {
      error.response = response.head
      throw error
    }
  }
}

extension HTTPField.Name {
  /// Whether it is `Range` or `Accept-Encoding`. Most names have another length, which is cheaper to see.
  fileprivate var decidesOnCoding: Bool {
    switch rawName.utf8.count {
    case 5: self == .range
    case 15: self == .acceptEncoding
    default: false
    }
  }
}

extension HTTPField {
  fileprivate static let acceptsCompression = HTTPField(
    name: .acceptEncoding, value: "gzip, deflate")
}
