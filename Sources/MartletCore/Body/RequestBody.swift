public import EssentialFoundation
package import HTTPTypes
public import NIOCore
import SystemPackage

/// The body of a request.
///
/// A body has a length, if that is known in advance. It states whether it can be sent a second time, which may be
/// necessary after a redirect, for authentication, or if a connection was stale.
public struct RequestBody: Sendable {
  /// The source of the bytes.
  public enum Source: Sendable {
    /// There is no body at all.
    case empty
    /// Bytes in memory; there may be zero bytes.
    case bytes(ByteBuffer)
    /// A part of a file, which is read while it is sent.
    case file(FileRange)
    /// A producer that writes the body chunk by chunk; each write waits until there is room for more.
    case producer(@Sendable (_ write: Writer) async throws -> Void)
  }

  /// Sends one chunk of a body and returns when the next one may be sent.
  ///
  /// It may be called concurrently. The chunks are sent whole, in the order of the calls, and each call waits until the
  /// previous one has returned.
  public typealias Writer = @Sendable (ByteBuffer) async throws -> Void

  /// A part of a file, fixed when the body is made.
  public struct FileRange: Hashable, Sendable {
    /// The path of the file.
    public var path: String
    /// The first byte to send. The default is 0.
    public var offset: Int64
    /// The number of bytes to send.
    public var length: Int64
    /// Whether the range was made without a length, up to the end of the file. Then sending fails if the file has grown
    /// since.
    public var reachesEnd: Bool
  }

  /// The source of the bytes.
  public let source: Source
  /// The number of bytes, or `nil` if it is not known in advance.
  public let length: Int64?
  /// Whether the body can be sent more than once.
  public let isReplayable: Bool

  /// No body.
  public static let empty = RequestBody(source: .empty, length: 0, isReplayable: true)

  /// A body of bytes in memory.
  public static func bytes(_ bytes: ByteBuffer) -> RequestBody {
    RequestBody(source: .bytes(bytes), length: Int64(bytes.readableBytes), isReplayable: true)
  }

  /// A body of bytes in memory.
  ///
  /// From 4 GiB on they are sent in pieces, because no buffer can hold them.
  public static func data(_ data: Data) -> RequestBody {
    guard data.count <= ByteBuffer.largest else { return .pieces(of: data) }
    return .bytes(ByteBuffer(bytes: data))
  }

  /// A text in UTF-8.
  ///
  /// From 4 GiB on it is sent in pieces, because no buffer can hold it.
  public static func text(_ text: String) -> RequestBody {
    guard text.utf8.count <= ByteBuffer.largest else { return .pieces(of: Data(text.utf8)) }
    return .bytes(ByteBuffer(string: text))
  }

  /// A file, or a part of a file, read while it is sent and never held in memory as a whole.
  ///
  /// - Parameters:
  ///   - url: A file URL.
  ///   - offset: The first byte to send. The default is 0.
  ///   - length: The number of bytes to send. The default is all that the file has now from `offset` on. If the size
  ///     changes before the file is sent, sending fails with code `.bodyLengthMismatch`. For a file that keeps growing,
  ///     pass the length.
  /// - Returns: A body that can be sent again as long as the file does not change.
  /// - Throws: `MartletError` with code `.notFileURL` or `.fileNotReachable`.
  public static func file(at url: URL, offset: Int64 = 0, length: Int64? = nil) throws(MartletError)
    -> RequestBody
  {
    guard url.isFileURL else { throw .notFileURL(url) }
    let size = try regularFileSize(of: url)
    guard offset >= 0, offset <= size, (length ?? 0) >= 0, length ?? 0 <= size - offset else {
      throw .fileRangeOutside(url, size: size)
    }
    let range = FileRange(
      path: url.path, offset: offset, length: length ?? size - offset, reachesEnd: length == nil)
    return RequestBody(source: .file(range), length: range.length, isReplayable: true)
  }

  /// Returns the size of the regular file at a URL, following symbolic links.
  private static func regularFileSize(of url: URL) throws(MartletError) -> Int64 {
    let status: Stat
    do {
      status = try Stat(FilePath(url.path))
    } catch {
      throw .fileNotReachable(url, underlying: error)
    }
    guard status.type == .regular else { throw .notRegularFile(url) }
    return status.size
  }

  /// A body that a closure writes chunk by chunk.
  ///
  ///     RequestBody.producer(length: nil) { write in
  ///       for line in lines { try await write(ByteBuffer(string: line)) }
  ///     }
  ///
  /// - Parameters:
  ///   - length: The number of bytes that the closure writes. It is sent as `Content-Length` and enforced. `nil` sends
  ///     the body in chunks. With a negative length, sending fails with code `.invalidRequest`.
  ///   - isReplayable: Whether the closure can be called again and writes the same bytes. The default is true.
  ///   - write: Called once each time the body is sent.
  /// - Returns: A body that is never held in memory as a whole.
  public static func producer(
    length: Int64?, isReplayable: Bool = true,
    _ write: @escaping @Sendable (_ write: Writer) async throws -> Void
  ) -> RequestBody {
    guard let length, length < 0 else {
      return RequestBody(source: .producer(write), length: length, isReplayable: isReplayable)
    }
    return .failing(.negativeBodyLength(length))
  }

  /// A body made of the elements of an asynchronous sequence.
  ///
  /// - Parameters:
  ///   - sequence: The chunks, in order.
  ///   - length: The total number of bytes. It is sent as `Content-Length` and enforced. The default, `nil`, sends the
  ///     body in chunks.
  ///   - isReplayable: Whether the sequence can be iterated again. The default is false.
  /// - Returns: A body that is never held in memory as a whole.
  public static func sequence<Chunks: AsyncSequence & Sendable>(
    _ sequence: Chunks, length: Int64? = nil, isReplayable: Bool = false
  ) -> RequestBody where Chunks.Element == ByteBuffer {
    .producer(length: length, isReplayable: isReplayable) { write in
      for try await chunk in sequence { try await write(chunk) }
    }
  }

  /// Whether there is no body at all, as opposed to a body of zero bytes.
  public var isEmpty: Bool {
    if case .empty = source { true } else { false }
  }
}

extension RequestBody {
  /// A body that cannot be sent: sending it throws `error`.
  static func failing(_ error: MartletError) -> RequestBody {
    RequestBody(source: .producer { _ in throw error }, length: nil, isReplayable: true)
  }

  /// A body of bytes that do not fit into one buffer.
  static func pieces(of data: Data) -> RequestBody {
    .producer(length: Int64(data.count)) { write in
      var rest = data
      while !rest.isEmpty {
        try await write(ByteBuffer(bytes: rest.prefix(pieceSize)))
        rest = rest.dropFirst(pieceSize)
      }
    }
  }

  /// 1 MiB.
  private static let pieceSize = 1 << 20
}

extension ByteBuffer {
  /// The most bytes that a buffer can hold; one more would trap.
  package static let largest = Int(clamping: UInt32.max)
}

extension HTTPRequest.Method {
  /// Whether a request without a body announces that its length is 0: POST, PUT and PATCH (RFC 9110 §8.6).
  package var announcesEmptyBody: Bool {
    // The length is compared first, because that is cheaper.
    switch rawValue.utf8.count {
    case 3: self == .put
    case 4: self == .post
    case 5: self == .patch
    default: false
    }
  }
}
