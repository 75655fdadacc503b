import EssentialFoundation
import Foundation
import Martlet
import NIOCore

extension RequestBody {
  /// What a producer writes, write by write; the bytes of a body in memory at once.
  func chunks() async throws -> [ByteBuffer] {
    switch source {
    case .bytes(let bytes): return [bytes]
    case .producer(let produce):
      let chunks = Locked<[ByteBuffer]>([])
      try await produce { chunk in chunks.withLock { $0.append(chunk) } }
      return chunks.current
    case .empty, .file: return []
    }
  }

  /// The same in one piece, as text.
  func collected() async throws -> String {
    try await chunks().map { String(buffer: $0) }.joined()
  }
}

extension TemporaryFolder {
  /// A new file with that content.
  func file(_ name: String, _ text: String = "") throws -> URL {
    let file = url.appendingPathComponent(name)
    try Data(text.utf8).write(to: file)
    return file
  }
}
