import NIOCore

/// A reply in RESP2, the protocol of Redis.
///
/// <https://redis.io/docs/latest/develop/reference/protocol-spec/>
enum RESPValue: Hashable, Sendable {
  case simple(String)
  case error(String)
  case integer(Int64)
  /// Bytes; `nil` if there is no value.
  case bulk(ByteBuffer?)
  /// Other values; `nil` if there is no array.
  case array([RESPValue]?)

  /// The integer; 0 for another value.
  var integer: Int64 { if case .integer(let integer) = self { integer } else { 0 } }

  /// The bytes; `nil` for another value.
  var bytes: ByteBuffer? { if case .bulk(let bytes) = self { bytes } else { nil } }

  /// The values of an array; empty for another value.
  var elements: [RESPValue] { if case .array(let elements?) = self { elements } else { [] } }

  /// The first error in it.
  var error: String? {
    switch self {
    case .error(let error): error
    case .array(let elements?): elements.lazy.compactMap(\.error).first
    default: nil
    }
  }
}

/// Why bytes are not a reply: a clause.
struct RESPProblem: Error, Hashable, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
