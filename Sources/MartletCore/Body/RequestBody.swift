public import EssentialFoundation
public import NIOCore
import SystemPackage

/// The body of a request.
///
/// A body knows its length, if that can be known, and whether it can be sent a second time, which
/// redirects, authentication and a stale connection may ask for.
public struct RequestBody: Sendable {
  /// Where the bytes come from.
  public enum Source: Sendable {
    /// There is no body at all.
    case empty
    /// Bytes in memory, perhaps none.
    case bytes(ByteBuffer)
    /// A part of a file, read while it is sent.
    case file(FileRange)
    /// A producer that writes the body chunk by chunk; each write waits until there is room for more.
    case producer(@Sendable (_ write: Writer) async throws -> Void)
  }

  /// Takes one chunk of a body and returns when the next one may be given.
  ///
  /// It may be called concurrently: each chunk leaves whole, in the order of the calls, and the next call waits
  /// until the one before has returned.
  public typealias Writer = @Sendable (ByteBuffer) async throws -> Void

  /// A part of a file, fixed when the body is made.
  public struct FileRange: Hashable, Sendable {
    /// The path of the file.
    public var path: String
    /// The first byte to send. The default is 0.
    public var offset: Int64
    /// How many bytes to send.
    public var length: Int64
    /// Whether that was all the file had from `offset` on, so that one that has grown since is refused.
    public var reachesEnd: Bool
  }

  /// Where the bytes come from.
  public let source: Source
  /// How many bytes the body has, or `nil` when only its end will tell.
  public let length: Int64?
  /// Whether the body can be sent more than once.
  public let isReplayable: Bool

  /// No body.
  public static let empty = RequestBody(source: .empty, length: 0, isReplayable: true)

  /// Bytes in memory.
  public static func bytes(_ bytes: ByteBuffer) -> RequestBody {
    RequestBody(source: .bytes(bytes), length: Int64(bytes.readableBytes), isReplayable: true)
  }

  /// Bytes in memory. From 4 GiB on they are sent as a producer's are, because no buffer holds them.
  public static func data(_ data: Data) -> RequestBody {
    guard data.count <= ByteBuffer.largest else { return .pieces(of: data) }
    return .bytes(ByteBuffer(bytes: data))
  }

  /// A text as UTF-8. From 4 GiB on it is sent as a producer's bytes are, because no buffer holds it.
  public static func text(_ text: String) -> RequestBody {
    guard text.utf8.count <= ByteBuffer.largest else { return .pieces(of: Data(text.utf8)) }
    return .bytes(ByteBuffer(string: text))
  }

  /// A file, or a part of one, read while it is sent and never held in memory.
  ///
  /// - Parameters:
  ///   - url: A file URL.
  ///   - offset: The first byte to send. The default is 0.
  ///   - length: How many bytes to send. The default is all that the file has now from `offset` on: when
  ///     there are more or fewer by the time it is sent, sending fails with code `.bodyLengthMismatch`. Of
  ///     a file that grows all the time, give the length.
  /// - Returns: A body that can be sent again as long as the file stays as it is.
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

  /// The size of what the URL leads to, through symbolic links; only a regular file has one.
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
  ///   - length: How many bytes will be written; sent as `Content-Length` and enforced. `nil` sends
  ///     the body in chunks. With a negative one, sending fails with code `.invalidRequest`.
  ///   - isReplayable: Whether the closure can be called again for the same bytes. The default is true.
  ///   - write: Called once for each time the body is sent.
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
  ///   - length: How many bytes they have in all; sent as `Content-Length` and enforced. The default,
  ///     `nil`, sends the body in chunks.
  ///   - isReplayable: Whether the sequence can be iterated again. The default is false.
  /// - Returns: A body that is never held in memory as a whole.
  public static func sequence<Chunks: AsyncSequence & Sendable>(
    _ sequence: Chunks, length: Int64? = nil, isReplayable: Bool = false
  ) -> RequestBody where Chunks.Element == ByteBuffer {
    .producer(length: length, isReplayable: isReplayable) { write in
      for try await chunk in sequence { try await write(chunk) }
    }
  }

  /// Whether there is no body at all, as opposed to one of zero bytes.
  public var isEmpty: Bool {
    if case .empty = source { true } else { false }
  }
}

extension RequestBody {
  /// A body that cannot be sent: sending it throws `error`.
  static func failing(_ error: MartletError) -> RequestBody {
    RequestBody(source: .producer { _ in throw error }, length: nil, isReplayable: true)
  }

  /// Bytes that are more than one buffer holds.
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
  package static let largest = Int(UInt32.max)
}
