public import Foundation
public import MartletCore
public import MartletEssentials
import NIOCore

extension RequestBody {
  /// A body that is read from a Foundation stream while it is sent.
  ///
  /// - Parameters:
  ///   - length: The number of bytes in the stream. It is sent as `Content-Length` and enforced. The default, `nil`,
  ///     sends the body in chunks.
  ///   - isReplayable: Whether `open` can be called again and returns a stream with the same bytes. The default is
  ///     true.
  ///   - open: Called each time the body is sent. It returns a new stream, which is not opened yet. The stream is read
  ///     on Swift's global executor, so that a blocking read delays neither the event loops nor an actor.
  /// - Returns: A body that is never held in memory as a whole.
  public static func stream(
    length: Int64? = nil, isReplayable: Bool = true,
    _ open: @escaping @Sendable () throws -> InputStream
  ) -> RequestBody {
    .producer(length: length, isReplayable: isReplayable) { write in
      try await runOnGlobalExecutor { try await pump(open, to: write) }
    }
  }

  @concurrent
  private static func pump(_ make: @Sendable () throws -> InputStream, to write: Writer)
    async throws
  {
    let stream = try make()
    stream.open()
    defer { stream.close() }
    while let chunk = try stream.nextChunk() { try await write(chunk) }
  }
}

extension InputStream {
  /// The maximum number of bytes that are read at once: 256 KiB.
  private static let chunkSize = 256 << 10

  /// Returns the next bytes, or `nil` at the end.
  ///
  /// - Throws: The error of the stream, or `MartletError` with code `.bodyNotReadable` if the stream does not report
  ///   one.
  fileprivate func nextChunk() throws -> ByteBuffer? {
    var chunk = ByteBufferAllocator().buffer(capacity: Self.chunkSize)
    let count = chunk.writeWithUnsafeMutableBytes(minimumWritableBytes: Self.chunkSize) { target in
      guard let start = target.bindMemory(to: UInt8.self).baseAddress else { return 0 }
      return max(0, read(start, maxLength: Self.chunkSize))
    }
    if count > 0 { return chunk }
    // On Linux, reading `streamError` traps if the stream has no error.
    guard streamStatus == .error else { return nil }
    throw streamError ?? MartletError.streamFailed
  }
}

extension MultipartFormData {
  /// Appends a file that is read from a Foundation stream.
  ///
  /// - Parameters:
  ///   - stream: Called each time the form is sent. It returns a new stream, which is not opened yet, always with the
  ///     same bytes.
  ///   - name: The name of the part.
  ///   - fileName: The file name that the server receives.
  ///   - length: The number of bytes in the stream. If the stream has more or fewer bytes, the request fails with code
  ///     `.bodyLengthMismatch` (REQ-M22 differs: there the length is not checked). With `nil`, the length of the form
  ///     is not known, and the form is sent in chunks.
  ///   - mimeType: The media type.
  /// - Throws: `MartletError` with code `.invalidHeader` for a media type that a header field cannot contain, such as
  ///   one with a line break.
  public mutating func append(
    _ stream: @escaping @Sendable () throws -> InputStream, name: String, fileName: String,
    length: Int64?, mimeType: String
  ) throws(MartletError) {
    try append(
      .stream(length: length, stream), name: name, fileName: fileName, mimeType: mimeType)
  }
}
