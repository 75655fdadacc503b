import NIOCore

/// The commands of the cache. Times are in milliseconds.
extension RESPCommand {
  /// Replies with the generation; with none if it did not exist, and is now the `new` one.
  static func generation(at layout: RedisLayout, orNew new: String) -> RESPCommand {
    RESPCommand(
      "SET", layout.generation, new, "NX", "GET", "PX", RedisLayout.generationLifetime, reply: .bulk
    )
  }

  /// Replies with the entries that can be used at a time.
  static func lookup(at layout: RedisLayout, _ now: Int64) -> RESPCommand {
    RESPCommand(
      "EVAL", RedisScript.lookup, "2", layout.generation, layout.variants, now, reply: .array)
  }

  /// Replies with 1 if the entry is stored.
  static func change(at layout: RedisLayout, _ arguments: [any RESPArgument]) -> RESPCommand {
    let script: [any RESPArgument] = [
      RedisScript.change, "2", layout.generation, layout.variants,
    ]
    return RESPCommand("EVAL", arguments: script + arguments, reply: .integer)
  }

  static func field(_ key: String, _ number: Int) -> RESPCommand {
    RESPCommand("HGET", key, Int64(number), reply: .bulk)
  }

  static func setField(_ key: String, _ number: Int, _ value: ByteBuffer) -> RESPCommand {
    RESPCommand("HSET", key, Int64(number), value, reply: .integer)
  }

  static func expire(_ key: String, after time: Int64) -> RESPCommand {
    RESPCommand("PEXPIRE", key, time, reply: .integer)
  }

  static func remove(_ key: any RESPArgument) -> RESPCommand {
    RESPCommand("UNLINK", key, reply: .integer)
  }

  /// Replies with the number of keys.
  static let keyCount = RESPCommand("DBSIZE", reply: .integer)

  /// Replies with the next cursor and some keys.
  static func scan(_ cursor: ByteBuffer, matching pattern: String) -> RESPCommand {
    RESPCommand("SCAN", cursor, "MATCH", pattern, "COUNT", "500", reply: .array)
  }
}

extension String {
  /// The pattern of the texts that begin with this one.
  var prefixPattern: String {
    // By scalars, because a character with a combining mark is not equal to the character that Redis sees.
    unicodeScalars.reduce(into: "") { pattern, scalar in
      if "*?[]\\".unicodeScalars.contains(scalar) { pattern += "\\" }
      pattern.unicodeScalars.append(scalar)
    } + "*"
  }
}
