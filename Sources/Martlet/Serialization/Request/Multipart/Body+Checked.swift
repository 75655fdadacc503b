import MartletCore
import NIOCore

extension Body {
  /// The same body, which fails when it gives more or fewer bytes than it announced, and says so by the
  /// name of its part. Files look after themselves.
  func checked(as name: String) -> Body {
    guard case .producer(let produce) = source, let length else { return self }
    return .producer(length: length, isReplayable: isReplayable) { write in
      let sent = Locked<Int64>(0)
      try await produce { chunk in
        let total = sent.withLock { sent in
          sent += Int64(chunk.readableBytes)
          return sent
        }
        guard total <= length else {
          throw MartletError.partLengthMismatch(name, announced: length, sent: total)
        }
        try await write(chunk)
      }
      guard sent.current == length else {
        throw MartletError.partLengthMismatch(name, announced: length, sent: sent.current)
      }
    }
  }
}
