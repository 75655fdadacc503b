import EssentialFoundation
import NIOCore

/// Reads a file in chunks of 256 KiB, not on the caller's actor and not on an engine's thread.
final class FileReader: ResponseBodySource {
  private static let chunkSize: Int64 = 256 << 10

  private let url: URL
  private let state: Locked<State>

  private struct State {
    var file: OpenFile?
    /// The bytes that are left to read.
    var bytes: Range<Int64>
  }

  /// - Parameters:
  ///   - url: The file.
  ///   - bytes: The part to read. The default is the whole file.
  init(_ url: URL, _ bytes: Range<Int64> = 0 ..< .max) {
    self.url = url
    state = Locked(State(bytes: bytes))
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
