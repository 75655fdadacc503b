public import Foundation
public import MartletCore
public import MartletEssentials
import NIOCore

extension RequestBody {
  /// A body that is read from a Foundation stream while it is sent.
  ///
  /// - Parameters:
  ///   - length: How many bytes the stream has; sent as `Content-Length` and enforced. The default, `nil`,
  ///     sends the body in chunks.
  ///   - isReplayable: Whether a second stream gives the same bytes. The default is true.
  ///   - open: Makes a stream, not opened yet, each time the body is sent. It is read where blocking keeps
  ///     no engine and no actor waiting.
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
  /// 256 KiB.
  private static let chunkSize = 256 << 10

  /// The bytes that are there, or `nil` at the end.
  ///
  /// - Throws: What the stream says is wrong with it.
  fileprivate func nextChunk() throws -> ByteBuffer? {
    var chunk = ByteBufferAllocator().buffer(capacity: Self.chunkSize)
    let count = chunk.writeWithUnsafeMutableBytes(minimumWritableBytes: Self.chunkSize) { target in
      guard let start = target.bindMemory(to: UInt8.self).baseAddress else { return 0 }
      return max(0, read(start, maxLength: Self.chunkSize))
    }
    if count > 0 { return chunk }
    // Without an error, Foundation on Linux traps when it is asked for one.
    guard streamStatus == .error else { return nil }
    throw streamError ?? MartletError.streamFailed
  }
}

extension MultipartFormData {
  /// Appends a file that comes out of a Foundation stream.
  ///
  /// - Parameters:
  ///   - stream: Makes the stream, each time the form is sent.
  ///   - name: The name of the part.
  ///   - fileName: The name of the file for the server.
  ///   - length: How many bytes the stream has: when it gives more or fewer, the request fails with code
  ///     `.bodyLengthMismatch` (in place of REQ-M22). With `nil` the form's length cannot be known, so
  ///     that it is sent in chunks.
  ///   - mimeType: The media type.
  /// - Throws: `MartletError` with code `.invalidHeader` for a media type with a line break.
  public mutating func append(
    _ stream: @escaping @Sendable () throws -> InputStream, name: String, fileName: String,
    length: Int64?, mimeType: String
  ) throws(MartletError) {
    try append(
      .stream(length: length, stream), name: name, fileName: fileName, mimeType: mimeType)
  }
}
