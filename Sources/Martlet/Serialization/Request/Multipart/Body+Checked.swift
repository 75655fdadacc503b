import MartletCore
import NIOCore

extension Body {
  /// The same body, which fails with `mismatch` when it gives more or fewer bytes than it announced. Files
  /// look after themselves.
  func checked(
    _ mismatch: @escaping @Sendable (_ announced: Int64, _ sent: Int64) -> MartletError
  ) -> Body {
    guard case .producer(let produce) = source, let length else { return self }
    return .producer(length: length, isReplayable: isReplayable) { write in
      let sent = Locked<Int64>(0)
      try await produce { chunk in
        let total = sent.withLock { sent in
          sent += Int64(chunk.readableBytes)
          return sent
        }
        guard total <= length else { throw mismatch(length, total) }
        try await write(chunk)
      }
      guard sent.current == length else { throw mismatch(length, sent.current) }
    }
  }
}
