import NIOCore

@testable import MartletRedisCache

/// The data of a server, with the commands that the cache needs. Nothing expires, but expiries are kept.
struct RedisDatabase: Sendable {
  enum Value: Sendable {
    case text(ByteBuffer)
    case hash([String: ByteBuffer])
  }

  var values: [String: Value] = [:]
  /// The expiries, in milliseconds from when they were set.
  var expiries: [String: Int64] = [:]

  func keys(containing part: String) -> [String] {
    values.keys.filter { $0.contains(part) }.sorted()
  }

  mutating func answer(_ words: [ByteBuffer]) -> RESPValue {
    let texts = words.map { String(buffer: $0) }
    guard let name = texts.first else { return .error("ERR no command") }
    let key = texts.count > 1 ? texts[1] : ""
    switch name {
    case "PING": return .simple("PONG")
    case "AUTH", "SELECT": return .simple("OK")
    case "SET": return setNew(key, words[2], texts.dropFirst(3))
    case "EVAL": return evaluate(words)
    case "DBSIZE": return .integer(Int64(values.count))
    case "UNLINK":
      defer { values[key] = nil }
      return .integer(values[key] == nil ? 0 : 1)
    case "SCAN": return scan(prefix: texts[3].dropLast())
    case "PEXPIRE":
      expiries[key] = Int64(texts[2]) ?? 0
      return .integer(1)
    default: return answerHash(name, key, texts, words)
    }
  }

  private mutating func answerHash(
    _ name: String, _ key: String, _ texts: [String], _ words: [ByteBuffer]
  ) -> RESPValue {
    guard var fields = hash(key) else { return .error("WRONGTYPE wrong kind of value") }
    switch name {
    case "HGET": return .bulk(fields[texts[2]])
    case "HSET": fields[texts[2]] = words[3]
    default: return .error("ERR unknown command '\(name)', with args beginning with: '\(key)'")
    }
    values[key] = .hash(fields)
    return .integer(1)
  }

  func text(_ key: String) -> ByteBuffer? {
    if case .text(let bytes) = values[key] { bytes } else { nil }
  }

  func hash(_ key: String) -> [String: ByteBuffer]? {
    switch values[key] {
    case .hash(let fields): fields
    case .text: nil
    case nil: [:]
    }
  }

  private mutating func setNew(_ key: String, _ value: ByteBuffer, _ options: ArraySlice<String>)
    -> RESPValue
  {
    let old = text(key)
    guard options.prefix(3) == ["NX", "GET", "PX"] else { return .error("ERR syntax error") }
    guard old == nil else { return .bulk(old) }
    values[key] = .text(value)
    expiries[key] = options.last.flatMap { Int64($0) }
    return .bulk(nil)
  }

  private func scan(prefix: Substring) -> RESPValue {
    let keys = values.keys.filter { $0.hasPrefix(prefix) }
    return .array([
      .bulk(ByteBuffer(string: "0")), .array(keys.map { .bulk(ByteBuffer(string: $0)) }),
    ])
  }
}
