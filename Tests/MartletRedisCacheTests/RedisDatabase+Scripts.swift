import NIOCore

@testable import MartletRedisCache

/// What the scripts in Lua do. `scripts/interop-redis` checks that they do it.
extension RedisDatabase {
  mutating func evaluate(_ words: [ByteBuffer]) -> RESPValue {
    let texts = words.map { String(buffer: $0) }
    let generation = text(texts[3]).map { String(buffer: $0) }
    guard let fields = hash(texts[4]) else { return .error("WRONGTYPE wrong kind of value") }
    switch texts[1] {
    case RedisScript.lookup:
      let now = Int64(texts[5]) ?? 0
      let found = fields.count > RedisLayout.mostVariants ? [] : Array(fields.values)
      return .array(
        found.filter { value in
          guard let header = header(value), value.readableBytes <= RedisLayout.largestEntry else {
            return false
          }
          return header.generation == generation && header.expiry > now
            && isWhole(texts[3], header.bodyID, header.bodyLength)
        }.map { .bulk($0) })
    case RedisScript.change: return .integer(change(words, texts, generation, fields) ? 1 : 0)
    default: return .error("ERR unknown script")
    }
  }

  private mutating func change(
    _ words: [ByteBuffer], _ texts: [String], _ generation: String?, _ old: [String: ByteBuffer]
  ) -> Bool {
    var fields = old
    let (name, record) = (texts[8], words[10])
    var (body, length) = (UInt64(texts[11], radix: 16) ?? 0, Int64(texts[12]) ?? 0)
    var bytes = words[13]
    if texts[5].isEmpty {
      guard var value = fields[name], let header = RedisEntry.Header(reading: &value),
        header.generation == generation, header.recordID == texts[9]
      else { return false }
      (body, length) = (header.bodyID, header.bodyLength)
      value.moveReaderIndex(forwardBy: header.recordSize)
      bytes = value
    } else if texts[5] != "*" && texts[5] != generation {
      return false
    }
    guard let generation, isWhole(texts[3], body, length) else { return false }
    let (now, expiry) = (Int64(texts[6]) ?? 0, Int64(texts[7]) ?? 0)
    var last = expiry
    if fields.count > RedisLayout.mostVariants { fields = [:] }
    var removed: [ByteBuffer] = []
    for (other, value) in fields {
      if other != name, let header = header(value), header.generation == generation,
        header.expiry > now
      {
        last = max(last, header.expiry)
      } else {
        removed.append(value)
        fields[other] = nil
      }
    }
    if record.readableBytes > 0 {
      if fields.count == RedisLayout.mostVariants, let other = fields.keys.randomElement() {
        removed += fields.removeValue(forKey: other).map { [$0] } ?? []
      }
      let id = String(body, radix: 16)
      let header = "1 \(generation) \(expiry) \(texts[9]) \(id) \(length) \(record.readableBytes)\n"
      var value = ByteBuffer(string: header)
      value.writeImmutableBuffer(record)
      value.writeImmutableBuffer(bytes)
      fields[name] = value
      expiries[texts[3]] = RedisLayout.generationLifetime
      expiries[texts[4]] = last - now
      expiries["\(texts[3]):b:\(id)"] = expiry - now + RedisLayout.readingTime
    }
    for header in removed.compactMap(header)
    where header.bodyID != body || record.readableBytes == 0 {
      let key = "\(texts[3]):b:\(String(header.bodyID, radix: 16))"
      expiries[key] = min(expiries[key] ?? .max, RedisLayout.readingTime)
    }
    values[texts[4]] = fields.isEmpty ? nil : .hash(fields)
    return record.readableBytes > 0
  }

  private func header(_ value: ByteBuffer) -> RedisEntry.Header? {
    var value = value
    return RedisEntry.Header(reading: &value)
  }

  private func isWhole(_ generation: String, _ id: UInt64, _ length: Int64) -> Bool {
    let chunks = RedisChunks(id: id, length: length)
    return id == 0 || hash("\(generation):b:\(String(id, radix: 16))")?.count == chunks.count
  }
}
