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

  /// How much a body may swell before it is given up (a small file can be made to swell without end).
  public struct Limits: Hashable, Sendable {
    /// The most bytes after decompression. The default is 1 GiB. A buffered body is bounded by the
    /// limit of its delivery as well; what is streamed or written to a file is not bounded.
    public var size = 1 << 30
    /// How many times larger than its compressed form a body may be, once it is larger than 1 MiB.
    /// The default is 1024.
    public var ratio = 1024
    /// How many times over a body may be compressed. The default is 2.
    public var codings = 2

    /// Limits with the documented defaults.
    public init() {}
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
  public func send(_ request: Request, next: any Transport) async throws -> Response {
    let asked = request.headers[.acceptEncoding]
    guard asked == nil || asked == "identity", !request.headers.contains(.range) else {
      return try await next.send(request)
    }
    var request = request
    if asked == nil { request.headers.append(.acceptsCompression) }
    let bufferLimit = bufferLimit(of: &request.delivery)
    let response = try await next.send(request)
    guard let codings = ContentCodings(response.head) else { return response }
    return try await decoded(response, by: codings, bufferLimit: bufferLimit.bytes)
  }

  /// How many bytes of the body may end up in memory.
  ///
  /// A file has to be told of the decompression. Where the head decides, the caller is asked once.
  private func bufferLimit(of delivery: inout Delivery) -> BufferLimit {
    switch delivery.fixedChoice {
    case .buffer(let limit): return .known(limit)
    case .discard, .stream, .writer: return .known(.max)
    case .file, nil:
      let noted = BufferLimit.Note()
      delivery = decoding(delivery, noting: noted)
      return .noted(noted)
    }
  }

  /// What is streamed or written to a file is decompressed a piece at a time, so that its size costs no
  /// memory: the ratio alone bounds it.
  private func decoding(_ delivery: Delivery, noting bufferLimit: BufferLimit.Note) -> Delivery {
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
}

/// How many bytes of a body may end up in memory.
private enum BufferLimit {
  case known(Int)
  /// Known with the head, before anybody has the response.
  case noted(Note)

  final class Note: Sendable {
    let bytes = Atomic(Int.max)
  }

  var bytes: Int {
    switch self {
    case .known(let bytes): bytes
    case .noted(let note): note.bytes.load(ordering: .relaxed)
    }
  }
}

extension HTTPField {
  fileprivate static let acceptsCompression = HTTPField(
    name: .acceptEncoding, value: "gzip, deflate")
}
