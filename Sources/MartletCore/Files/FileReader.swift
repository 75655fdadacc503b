import EssentialFoundation
import NIOCore

/// Reads a file in chunks of 256 KiB, not on the caller's actor and not on an engine's thread.
final class FileReader: ResponseBodySource {
  private let url: URL
  private let file = Locked<OpenFile?>(nil)

  init(_ url: URL) {
    self.url = url
  }

  func next() async throws -> ByteBuffer? {
    try await runOnGlobalExecutor { try await read() }
  }

  func abandon() {}

  var completion: ResponseBody.Completion? { ResponseBody.Completion() }

  @concurrent
  private func read() async throws -> ByteBuffer? {
    do {
      let chunk = try file.withLock { file in
        let open = try file ?? OpenFile(reading: url)
        file = open
        return try open.read()
      }
      return chunk.readableBytes > 0 ? chunk : nil
    } catch {
      throw MartletError.fileNotReachable(url, underlying: error)
    }
  }
}
