public import Foundation
public import MartletCore
public import MartletEssentials
import NIOCore

extension RequestBody {
  /// A body that is read from a Foundation stream while it is sent.
  ///
  /// - Parameters:
  ///   - length: The number of bytes in the stream; sent as `Content-Length` and enforced. The default, `nil`, sends
  ///     the body in chunks.
  ///   - isReplayable: Whether a second stream gives the same bytes. The default is true.
  ///   - open: Creates a stream, not opened yet, each time the body is sent. The stream is read where blocking delays
  ///     neither the engine nor an actor.
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

  /// Returns the next bytes, or `nil` at the end.
  ///
  /// - Throws: The error of the stream.
  fileprivate func nextChunk() throws -> ByteBuffer? {
    var chunk = ByteBufferAllocator().buffer(capacity: Self.chunkSize)
    let count = chunk.writeWithUnsafeMutableBytes(minimumWritableBytes: Self.chunkSize) { target in
      guard let start = target.bindMemory(to: UInt8.self).baseAddress else { return 0 }
      return max(0, read(start, maxLength: Self.chunkSize))
    }
    if count > 0 { return chunk }
    // Foundation on Linux traps when the error is read and there is none.
    guard streamStatus == .error else { return nil }
    throw streamError ?? MartletError.streamFailed
  }
}

extension MultipartFormData {
  /// Appends a file that is read from a Foundation stream.
  ///
  /// - Parameters:
  ///   - stream: Creates the stream, each time the form is sent.
  ///   - name: The name of the part.
  ///   - fileName: The file name that the server receives.
  ///   - length: The number of bytes in the stream. If it gives more or fewer, the request fails with code
  ///     `.bodyLengthMismatch` (in place of REQ-M22). With `nil` the length of the form is not known, so it is sent in
  ///     chunks.
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
