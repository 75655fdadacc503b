import Crypto
import EssentialFoundation
import MartletCore
import MartletTransport
import NIOCore

extension PasswordAuthenticator {
  /// Returns the value of the field that answers the last challenge, or that is sent without a challenge; `nil` when
  /// there is neither.
  ///
  /// - Throws: What reading the body throws, if the answer needs its hash; `MartletError` with code
  ///   `.bodyNotReplayable` if the body can be read only once.
  func authorization(for request: Request) async throws -> String? {
    switch answer(method: request.method.rawValue, target: request.target) {
    case nil: return nil
    case .fixed(let field): return field
    case .digest(var answer):
      if answer.challenge.quality == .authInt {
        answer.bodyHash = try await request.body.hash(by: answer.challenge.algorithm)
      }
      return answer.field
    }
  }
}

extension RequestBody {
  /// Returns the hash of all bytes, in hexadecimal digits.
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
    case .file(let range): try await runOnGlobalExecutor { try await range.read(take) }
    case .producer(let write):
      guard isReplayable else { throw MartletError.bodyNotReplayable }
      try await write { take($0) }
    }
    return hasher.withLock { $0.hexadecimal() }
  }
}

extension RequestBody.FileRange {
  @concurrent
  fileprivate func read(_ take: @Sendable (ByteBuffer) -> Void) async throws {
    let url = URL(filePath: path)
    do {
      let file = try OpenFile(reading: url)
      var place = offset
      while place < offset + length {
        let piece = try file.read(upTo: Int(min(offset + length - place, 256 << 10)), at: place)
        guard piece.readableBytes > 0 else { return }
        take(piece)
        place += Int64(piece.readableBytes)
      }
    } catch {
      throw MartletError.fileNotReachable(url, underlying: error)
    }
  }
}
