import EssentialFoundation
import NIOCore

/// Reads a file in chunks of 256 KiB, not on the caller's actor and not on an engine's thread.
final class FileReader: ResponseBodySource {
  private static let chunkSize: Int64 = 256 << 10

  private let url: URL
  private let state: Locked<State>

  private struct State: Sendable {
    var file: OpenFile?
    /// The bytes that are left to read.
    var bytes: Range<Int64>
  }

  /// - Parameters:
  ///   - url: The file.
  ///   - file: The same file, if it is open already. The default opens it when it is read.
  ///   - bytes: The part to read. The default is the whole file.
  init(_ url: URL, _ file: OpenFile? = nil, _ bytes: Range<Int64> = 0 ..< .max) {
    self.url = url
    state = Locked(State(file: file, bytes: bytes))
  }

  /// Returns a reader for a part of the unread bytes.
  func slice(_ offset: Int64, _ count: Int64) -> FileReader {
    let state = state.current
    let (start, end) = (state.bytes.lowerBound + offset, state.bytes.upperBound)
    return FileReader(url, state.file, start..<(count < end - start ? start + count : end))
  }

  func next() async throws -> ByteBuffer? {
    try await runOnGlobalExecutor { try await read() }
  }

  func abandon() {}

  var completion: ResponseBody.Completion? { ResponseBody.Completion() }

  @concurrent
  private func read() async throws -> ByteBuffer? {
    do {
      let chunk = try state.withLock { state in
        let file = try state.file ?? OpenFile(reading: url)
        state.file = file
        let (offset, end) = (state.bytes.lowerBound, state.bytes.upperBound)
        guard offset < end else { return ByteBuffer() }
        let chunk = try file.read(upTo: Int(min(Self.chunkSize, end - offset)), at: offset)
        state.bytes = offset + Int64(chunk.readableBytes)..<end
        return chunk
      }
      return chunk.readableBytes > 0 ? chunk : nil
    } catch {
      throw MartletError.fileNotReachable(url, underlying: error)
    }
  }
}
