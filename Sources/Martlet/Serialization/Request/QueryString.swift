/// One name with its value, not yet escaped.
public struct QueryStringPair: Hashable, Sendable {
  /// The name, with the brackets that nesting gave it.
  public var field: String
  /// The value; `nil` for a name that stands alone.
  public var value: String?

  /// A pair from its parts.
  public init(field: String, value: String?) {
    self.field = field
    self.value = value
  }

  /// The pair as a query has it: `field=value`, or `field` alone (REQ-Q13).
  public var percentEscaped: String {
    var bytes: [UInt8] = []
    bytes.append(self)
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The parameters as a query string or form body: `a=1&b%5B%5D=2`.
///
/// Names are sorted by code point; nested values get names like `a[b]` and `a[]` (REQ-Q7 to REQ-Q16).
///
/// - Parameter parameters: A dictionary, or a value that encodes as one.
/// - Returns: The text, empty when there is nothing to say.
/// - Throws: `MartletError` with code `.invalidParameters` when the top level has no names, or a
///   number is not finite.
public func queryString(from parameters: Parameters) throws(MartletError) -> String {
  var bytes: [UInt8] = []
  bytes.reserveCapacity(128)
  try parameters.forEachPair { pair in
    if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
    bytes.append(pair)
  }
  return String(decoding: bytes, as: UTF8.self)
}

/// The names and values that `parameters` come to, in the order in which they are written.
///
/// - Parameter parameters: A dictionary, or a value that encodes as one.
/// - Returns: One pair for each value that is no container.
/// - Throws: `MartletError` with code `.invalidParameters`; see `queryString(from:)`.
public func queryStringPairs(from parameters: Parameters) throws(MartletError)
  -> [QueryStringPair]
{
  var pairs: [QueryStringPair] = []
  try parameters.forEachPair { pairs.append($0) }
  return pairs
}

extension [UInt8] {
  fileprivate mutating func append(_ pair: QueryStringPair) {
    appendEscaped(pair.field)
    guard let value = pair.value else { return }
    append(UInt8(ascii: "="))
    appendEscaped(value)
  }
}
