import NIOCore

/// The commands of the cache. Times are in milliseconds.
extension RESPCommand {
  static func get(_ key: String) -> RESPCommand { RESPCommand("GET", key, reply: .bulk) }

  static func set(_ key: String, _ value: ByteBuffer, for time: Int64) -> RESPCommand {
    RESPCommand("SET", key, value, "PX", time, reply: .status)
  }

  /// Sets a value if there is none.
  static func setNew(_ key: String, _ value: String, for time: Int64) -> RESPCommand {
    RESPCommand("SET", key, value, "PX", time, "NX", reply: .status)
  }

  static func exists(_ keys: [String]) -> RESPCommand {
    RESPCommand("EXISTS", arguments: keys, reply: .integer)
  }

  static func remove(_ key: String) -> RESPCommand { RESPCommand("UNLINK", key, reply: .integer) }

  static func fields(_ key: String) -> RESPCommand { RESPCommand("HGETALL", key, reply: .array) }

  static func fieldCount(_ key: String) -> RESPCommand { RESPCommand("HLEN", key, reply: .integer) }

  static func field(_ key: String, _ field: String) -> RESPCommand {
    RESPCommand("HGET", key, field, reply: .bulk)
  }

  /// Replies with the name and the value of any field.
  static func anyField(_ key: String) -> RESPCommand {
    RESPCommand("HRANDFIELD", key, "1", "WITHVALUES", reply: .array)
  }

  static func setField(_ key: String, _ field: String, _ value: ByteBuffer) -> RESPCommand {
    RESPCommand("HSET", key, field, value, reply: .integer)
  }

  static func removeField(_ key: String, _ field: any RESPArgument) -> RESPCommand {
    RESPCommand("HDEL", key, field, reply: .integer)
  }

  /// Gives an expiry to a key that has none.
  static func expire(_ key: String, after time: Int64) -> RESPCommand {
    RESPCommand("PEXPIRE", key, time, "NX", reply: .integer)
  }

  /// Keeps a key that has an expiry at least for a time.
  static func keep(_ key: String, for time: Int64) -> RESPCommand {
    RESPCommand("PEXPIRE", key, time, "GT", reply: .integer)
  }

  /// Keeps a key at most for a time.
  static func release(_ key: String, within time: Int64) -> RESPCommand {
    RESPCommand("PEXPIRE", key, time, "LT", reply: .integer)
  }

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
