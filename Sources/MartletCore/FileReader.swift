import Foundation
import NIOCore

/// Reads a file in chunks of 256 KiB, away from the caller's actor and from an engine's thread.
final class FileReader: ResponseBodySource {
  private let url: URL
  private let handle = Locked<FileHandle?>(nil)

  init(_ url: URL) {
    self.url = url
  }

  func next() async throws -> ByteBuffer? {
    try await elsewhere { try await read() }
  }

  func abandon() {}

  var completion: ResponseBody.Completion? { ResponseBody.Completion() }

  @concurrent
  private func read() async throws -> ByteBuffer? {
    do {
      let data = try handle.withLock { handle in
        let open = try handle ?? FileHandle(forReadingFrom: url)
        handle = open
        return try open.read(upToCount: 256 << 10)
      }
      guard let data, !data.isEmpty else { return nil }
      return ByteBuffer(bytes: data)
    } catch {
      throw MartletError.fileNotReachable(url, underlying: error)
    }
  }
}
