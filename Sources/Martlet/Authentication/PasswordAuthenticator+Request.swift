import Crypto
import Foundation
import MartletCore
import MartletTransport
import NIOCore

extension PasswordAuthenticator {
  /// The value of the field that answers what was asked last; `nil` before anything was.
  ///
  /// - Throws: What reading the body throws, where its hash is needed.
  func authorization(for request: Request) async throws -> String? {
    switch answer(method: request.method.rawValue, target: request.target) {
    case nil: return nil
    case .fixed(let field): return field
    case .digest(var answer):
      if answer.challenge.quality == .body {
        answer.bodyHash = try await request.body.hash(by: answer.challenge.algorithm)
      }
      return answer.field
    }
  }
}

extension Body {
  /// The hash of all bytes, in hexadecimal digits.
  ///
  /// - Throws: `MartletError` with code `.bodyNotReplayable` for a body that can be read only once, or what reading it
  ///   throws.
  fileprivate func hash(by algorithm: DigestAlgorithm) async throws -> String {
    let hasher = Locked(algorithm.makeHasher())
    let take = { @Sendable (bytes: ByteBuffer) in
      hasher.withLock { hasher in
        bytes.withUnsafeReadableBytes { hasher.update(bufferPointer: $0) }
      }
    }
    switch source {
    case .empty: break
    case .bytes(let bytes): take(bytes)
    case .file(let range): try await elsewhere { try await range.read(take) }
    case .producer(let write):
      guard isReplayable else { throw MartletError.bodyNotReplayable }
      try await write { take($0) }
    }
    return hasher.withLock { $0.hexadecimal() }
  }
}

extension Body.FileRange {
  @concurrent
  fileprivate func read(_ take: @Sendable (ByteBuffer) -> Void) async throws {
    let url = URL(filePath: path)
    do {
      let file = try FileHandle(forReadingFrom: url)
      try file.seek(toOffset: UInt64(offset))
      var rest = length
      while rest > 0 {
        let data = try file.read(upToCount: Int(min(rest, 256 << 10)))
        guard let data, !data.isEmpty else { return }
        take(ByteBuffer(bytes: data))
        rest -= Int64(data.count)
      }
    } catch {
      throw MartletError.fileNotReachable(url, underlying: error)
    }
  }
}
