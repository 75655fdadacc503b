import EssentialFoundation
import HTTPTypes
import MartletCore
import MartletEssentials
import NIOCore

extension ResponseCacheRule {
  /// All rules.
  public static let all = [
    ResponseCacheRule("an unknown key has no responses") { probe in
      try await probe.expect([], for: .first)
    },
    ResponseCacheRule("a response comes back as it was stored") { probe in
      for (version, body) in [.text, ByteBuffer(), .binary].enumerated() {
        let key = CacheKey(url: "https://example.com/\(version)", credentialsDigest: nil)
        let record = try await probe.store(probe.record(version), body, for: key)
        try await probe.expect([(record, body)], for: key)
      }
    },
    ResponseCacheRule("keys may be long, and have any characters") { probe in
      let long = "https://example.com/" + String(repeating: "%F0%9F%90%A6'\"\\%_", count: 500)
      for url in [long, long + "/", "own key: 雨燕 🐦"] {
        let key = CacheKey(url: url, credentialsDigest: nil)
        let record = try await probe.store(probe.record(), .text, for: key)
        try await probe.expect([(record, .text)], for: key)
      }
    },
    ResponseCacheRule("each key has its own responses") { probe in
      let keys: [CacheKey] = [.first, .asUser, .other]
      var records: [CachedResponse.Record] = []
      for (version, key) in keys.enumerated() {
        records.append(try await probe.store(probe.record(version), .text, for: key))
      }
      for (key, record) in zip(keys, records) {
        try await probe.expect([(record, .text)], for: key)
      }
    },
    ResponseCacheRule("a key has one response for each variant") { probe in
      let (old, german, new) = (
        probe.record(1, varyHeaders: [.acceptLanguage: ["en"]]),
        probe.record(2, varyHeaders: [.acceptLanguage: ["de"]]),
        probe.record(3, varyHeaders: [.acceptLanguage: ["en"]])
      )
      try await probe.store(old, .text, for: .first)
      try await probe.store(german, .binary, for: .first)
      try await probe.store(new, ByteBuffer(), for: .first)
      try await probe.expect([(german, .binary), (new, ByteBuffer())], for: .first)
    },
    ResponseCacheRule("an update replaces the record, and keeps the body") { probe in
      var record = try await probe.store(probe.record(), .text, for: .first)
      record.responseTime += 60
      record.head.headers[.age] = "1"
      try await probe.cache.update(record, for: .first)
      try await probe.expect([(record, .text)], for: .first)
    },
    ResponseCacheRule("an update of a response that is not stored any more does nothing") { probe in
      let old = try await probe.store(probe.record(1), .text, for: .first)
      let new = try await probe.store(probe.record(2), .binary, for: .first)
      try await probe.cache.update(old, for: .first)
      try await probe.cache.update(old, for: .other)
      try await probe.expect([(new, .binary)], for: .first)
      try await probe.expect([], for: .other)
    },
    ResponseCacheRule("the responses of a URL are removed for all credentials") { probe in
      for key in [CacheKey.first, .asUser] {
        try await probe.store(probe.record(), .text, for: key)
      }
      let kept = try await probe.store(probe.record(), .text, for: .other)
      try await probe.cache.remove(url: CacheKey.first.url)
      for key in [CacheKey.first, .asUser] { try await probe.expect([], for: key) }
      try await probe.expect([(kept, .text)], for: .other)
    },
    ResponseCacheRule("one response is removed, and those for other URLs stay") { probe in
      let removed = try await probe.store(probe.record(1), .text, for: .first)
      let kept = try await probe.store(probe.record(2), .text, for: .other)
      try await probe.cache.remove(removed, for: .first)
      try await probe.expect([], for: .first)
      try await probe.expect([(kept, .text)], for: .other)
    },
    ResponseCacheRule("all responses are removed") { probe in
      for key in [CacheKey.first, .asUser, .other] {
        try await probe.store(probe.record(), .text, for: key)
      }
      try await probe.cache.removeAll()
      for key in [CacheKey.first, .asUser, .other] { try await probe.expect([], for: key) }
    },
    ResponseCacheRule("a large body is stored whole, if at all") { probe in
      let pieces = [ByteBuffer.binary, .large, .text]
      let record = probe.record()
      guard try await probe.write(record, pieces, for: .first) else { return }
      let whole = pieces.reduce(into: ByteBuffer()) { $0.writeImmutableBuffer($1) }
      try await probe.expect([(record, whole)], for: .first)
      var confirmed = record
      confirmed.responseTime += 60
      try await probe.cache.update(confirmed, for: .first)
      try await probe.expect([(confirmed, whole)], for: .first)
    },
    ResponseCacheRule("a part of a body is stored with its offsets") { probe in
      let part = CachedResponse.Record.Part(
        bytes: 7..<7 + Int64(ByteBuffer.large.readableBytes), total: nil)
      let record = probe.record(part: part)
      guard try await probe.write(record, [.large], for: .first) else { return }
      try await probe.expect([(record, .large)], for: .first)
    },
    ResponseCacheRule("a writer that is released before its end stores nothing") { probe in
      let old = try await probe.store(probe.record(1), .text, for: .first)
      try await probe.cache.makeWriter(for: probe.record(2), key: .first)?.write(.large)
      try await probe.expect([(old, .text)], for: .first)
    },
    ResponseCacheRule("a body is read whole or fails, when it is replaced meanwhile") { probe in
      let record = probe.record(1)
      if try await !probe.write(record, [.large], for: .first) {
        try await probe.store(record, .text, for: .first)
      }
      guard let stored = try await probe.cache.responses(for: .first).first else {
        return try probe.require(false, "the response is missing")
      }
      try await probe.store(probe.record(2), .binary, for: .first)
      guard let body = try? await stored.body.collect() else { return }
      try probe.require(body == .large || body == .text, "the body is another one")
    },
    ResponseCacheRule("responses that are stored at the same time are never mixed") { probe in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for version in 0..<64 {
          group.addTask {
            let key = CacheKey(url: "https://example.com/\(version % 4)", credentialsDigest: nil)
            let body = ByteBuffer(repeating: UInt8(version), count: 1 + version * 401)
            let record = probe.record(version)
            if body.readableBytes <= probe.cache.largestBufferedBody {
              try await probe.store(record, body, for: key)
            } else {
              _ = try await probe.write(record, [body], for: key)
            }
            for response in try await probe.cache.responses(for: key) {
              guard let body = try? await response.body.collect(),
                let byte = body.readableBytesView.first
              else { continue }
              try probe.require(
                response.record.head.headers[.eTag] == "\"\(byte)\""
                  && body == ByteBuffer(repeating: byte, count: 1 + Int(byte) * 401),
                "a response has the body of another")
            }
          }
        }
        try await group.waitForAll()
      }
      for version in 0..<4 {
        let key = CacheKey(url: "https://example.com/\(version)", credentialsDigest: nil)
        let count = try await probe.cache.responses(for: key).count
        try probe.require(count <= 1, "one variant has \(count) responses")
      }
    },
  ]
}

extension CacheKey {
  fileprivate static let first = CacheKey(url: "https://example.com/", credentialsDigest: nil)
  fileprivate static let asUser = CacheKey(
    url: first.url, credentialsDigest: String(repeating: "0a", count: 32))
  fileprivate static let other = CacheKey(url: "https://example.com/?q=1", credentialsDigest: nil)
}

extension ByteBuffer {
  fileprivate static let text = ByteBuffer(string: "martlet")
  fileprivate static let binary = ByteBuffer(bytes: [13, 10, 0] + Array(0...255))
  fileprivate static let large = ByteBuffer(
    bytes: (0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
}
