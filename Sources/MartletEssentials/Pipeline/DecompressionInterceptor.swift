import HTTPTypes
public import MartletCore

/// Asks for compressed bodies, and decompresses them.
///
/// It asks for compression only if the request has no `Accept-Encoding` of its own. If the request names an encoding,
/// the caller receives the body as the server sent it. The same applies to a request with `Range`: parts of a
/// compressed body cannot be decompressed (RFC 9110 §14.2). If the request has `Accept-Encoding: identity`, and the
/// server compresses nevertheless, the body is decompressed. A file holds the decompressed bytes. The header fields are
/// not changed, not even `Content-Encoding` and `Content-Length`.
public struct DecompressionInterceptor: Interceptor {
  /// The limits on decompressed bodies.
  public var limits: Limits

  /// Limits on decompressed bodies: gzip can turn one byte into a thousand.
  public struct Limits: Hashable, Sendable {
    /// The largest number of bytes after decompression. The default is 1 GiB. A buffered body is also bounded by the
    /// limit of its delivery. A body that is streamed or written to a file is bounded by `ratio` alone.
    public var size = 1 << 30
    /// The largest ratio of the decompressed bytes to the compressed bytes received, for a body that is larger than
    /// `ratioExemptSize`. The default is 100. JSON reaches 15, logs reach 40, and decompression bombs reach 1000.
    public var ratio = 100
    /// The size in bytes, after decompression, up to which the ratio is not checked. The default is 10 MiB.
    public var ratioExemptSize = 10 << 20
    /// The largest number of codings that a body may have. The default is 2.
    public var codings = 2

    /// Limits with the documented defaults.
    public init() {}

    /// Returns whether the ratio is exceeded.
    ///
    /// - Parameters:
    ///   - produced: The number of decompressed bytes so far.
    ///   - received: The number of compressed bytes received, including those that are decompressed next: the first
    ///     bytes of a body may have the largest ratio.
    /// - Returns: Whether decompression must stop.
    func areExceeded(by produced: Int, from received: Int) -> Bool {
      // The same as `produced > received * ratio`, without a product that may overflow.
      produced > ratioExemptSize && (produced - 1) / max(received, 1) >= ratio
    }
  }

  /// An interceptor with the given limits.
  public init(_ limits: Limits = Limits()) {
    self.limits = limits
  }

  private enum Action {
    /// The body is delivered as it is.
    case none
    /// A compressed body is decompressed, although the request does not ask for compression.
    case decompress
    /// The request asks for compression.
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

  /// Asks for compression, unless the request has `Accept-Encoding` or `Range`.
  public func prepare(_ request: inout Request, context: CallContext) -> RequestPreparation {
    let action = action(for: request)
    if action == .requestCompression { request.askForCompression() }
    return action == .none ? .passThrough : .inspectResponse
  }

  /// Returns `.replaceResponse` for a compressed body.
  public func inspect(_ response: Response, to request: Request, context: CallContext)
    -> ResponseInspection
  {
    ContentCodings(response.head) == nil ? .passThrough : .replaceResponse
  }

  /// Returns the response with its body decompressed.
  ///
  /// If a successful response has its body in memory, and the body is delivered in memory, it is decompressed at once.
  /// Any other body is decompressed while it is read or written. A body that is streamed or written to a file is
  /// decompressed piece by piece and never held in memory as a whole, so that only the ratio bounds it.
  ///
  /// - Throws: `MartletError` with code `.contentDecodingFailed`, `.decompressionLimitExceeded`, or `.bodyTooLarge`
  ///   when the body exceeds the limit of `request.delivery`.
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
      // A stored response sets no cookies: they were stored when it arrived.
      if response.isFromCache { error.response?.headers[fields: .setCookie] = [] }
      throw error
    }
  }
}

extension HTTPField.Name {
  /// Whether it is `Range` or `Accept-Encoding`. Most names have another length, which is cheaper to check.
  fileprivate var decidesOnCoding: Bool {
    switch rawName.utf8.count {
    case 5: self == .range
    case 15: self == .acceptEncoding
    default: false
    }
  }
}
