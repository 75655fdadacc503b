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
    case "GET": return .bulk(text(key))
    case "SET": return set(key, words[2], texts.dropFirst(3))
    case "EXISTS": return .integer(Int64(texts.dropFirst().count { values[$0] != nil }))
    case "UNLINK":
      defer { values[key] = nil }
      return .integer(values[key] == nil ? 0 : 1)
    case "SCAN": return scan(prefix: texts[3].dropLast())
    case "PEXPIRE": return expire(key, Int64(texts[2]) ?? 0, texts[3])
    default: return answerHash(name, key, texts, words)
    }
  }

  private mutating func answerHash(
    _ name: String, _ key: String, _ texts: [String], _ words: [ByteBuffer]
  ) -> RESPValue {
    guard var fields = hash(key) else { return .error("WRONGTYPE wrong kind of value") }
    switch name {
    case "HGETALL": return .array(Self.pairs(fields))
    case "HLEN": return .integer(Int64(fields.count))
    case "HGET": return .bulk(fields[texts[2]])
    case "HRANDFIELD": return .array(Self.pairs(fields.randomElement().map { [$0.key: $0.value] }))
    case "HSET": fields[texts[2]] = words[3]
    case "HDEL": fields[texts[2]] = nil
    default: return .error("ERR unknown command '\(name)', with args beginning with: '\(key)'")
    }
    values[key] = fields.isEmpty ? nil : .hash(fields)
    return .integer(1)
  }

  private static func pairs(_ fields: [String: ByteBuffer]?) -> [RESPValue] {
    (fields ?? [:]).flatMap { [.bulk(ByteBuffer(string: $0.key)), .bulk($0.value)] }
  }

  private func text(_ key: String) -> ByteBuffer? {
    if case .text(let bytes) = values[key] { bytes } else { nil }
  }

  private func hash(_ key: String) -> [String: ByteBuffer]? {
    switch values[key] {
    case .hash(let fields): fields
    case .text: nil
    case nil: [:]
    }
  }

  private mutating func set(_ key: String, _ value: ByteBuffer, _ options: ArraySlice<String>)
    -> RESPValue
  {
    guard !options.contains("NX") || values[key] == nil else { return .bulk(nil) }
    values[key] = .text(value)
    expiries[key] = options.dropFirst().first.flatMap { Int64($0) }
    return .simple("OK")
  }

  private mutating func expire(_ key: String, _ time: Int64, _ option: String) -> RESPValue {
    guard values[key] != nil else { return .integer(0) }
    let old = expiries[key]
    let isSet =
      switch option {
      case "NX": old == nil
      case "GT": old.map { time > $0 } ?? false
      default: old.map { time < $0 } ?? true
      }
    if isSet { expiries[key] = time }
    return .integer(isSet ? 1 : 0)
  }

  private func scan(prefix: Substring) -> RESPValue {
    let keys = values.keys.filter { $0.hasPrefix(prefix) }
    return .array([
      .bulk(ByteBuffer(string: "0")), .array(keys.map { .bulk(ByteBuffer(string: $0)) }),
    ])
  }
}
