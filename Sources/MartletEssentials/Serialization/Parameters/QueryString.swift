/// One name with its value, not yet escaped.
public struct QueryStringPair: Hashable, Sendable {
  /// The name, including the brackets of nested values.
  public var field: String
  /// The value; `nil` for a name without a value.
  public var value: String?

  /// A pair of a name and a value.
  public init(field: String, value: String?) {
    self.field = field
    self.value = value
  }

  /// The pair as it is written in a query: `field=value`, or only `field` (REQ-Q13).
  public var percentEscaped: String {
    var bytes: [UInt8] = []
    bytes.append(self, spaces: .percent)
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The parameters as a query string or form body: `a=1&b%5B%5D=2`.
///
/// Names are sorted by code point, and nested values get names like `a[b]` and `a[]` (REQ-Q7 to REQ-Q16), unless
/// `encoding` specifies another form.
///
/// - Parameters:
///   - parameters: A dictionary, or a value that encodes as one.
///   - encoding: How values are written. The default has the documented defaults.
/// - Returns: The text; empty when there are no values to write.
/// - Throws: `MartletError` with code `.invalidParameters` when the top level has no names, a value fails to encode, or
///   a number or date cannot be written, for example because it is not finite.
public func queryString(
  from parameters: Parameters, encoding: ParameterEncoding = ParameterEncoding()
) throws(MartletError) -> String {
  var bytes: [UInt8] = []
  bytes.reserveCapacity(128)
  try ParameterFlattener(encoding: encoding).visit(parameters) {
    (field, value) throws(MartletError) in
    if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
    let pair = QueryStringPair(field: field, value: try encoding.text(of: value, at: field))
    bytes.append(pair, spaces: encoding.spaces)
  }
  return String(decoding: bytes, as: UTF8.self)
}

/// The names and values of `parameters`, in the order in which they are written.
///
/// - Parameters:
///   - parameters: A dictionary, or a value that encodes as one.
///   - encoding: How values are written. The default has the documented defaults.
/// - Returns: One pair for each value that is not a container.
/// - Throws: `MartletError` with code `.invalidParameters`; see `queryString(from:encoding:)`.
public func queryStringPairs(
  from parameters: Parameters, encoding: ParameterEncoding = ParameterEncoding()
) throws(MartletError) -> [QueryStringPair] {
  var pairs: [QueryStringPair] = []
  try ParameterFlattener(encoding: encoding).visit(parameters) {
    (field, value) throws(MartletError) in
    pairs.append(QueryStringPair(field: field, value: try encoding.text(of: value, at: field)))
  }
  return pairs
}

extension [UInt8] {
  fileprivate mutating func append(_ pair: QueryStringPair, spaces: ParameterEncoding.Spaces) {
    appendEscaped(pair.field, spaces: spaces)
    guard let value = pair.value else { return }
    append(UInt8(ascii: "="))
    appendEscaped(value, spaces: spaces)
  }
}

extension String {
  /// Returns the text escaped for a query, as a name or as a value.
  ///
  /// ASCII letters, digits and `-._~/?` stay as they are; every other byte of the UTF-8 form becomes `%` and two
  /// upper-case hexadecimal digits (REQ-Q1 to REQ-Q6). Text that is already escaped is escaped again.
  public func percentEscapedForQuery() -> String {
    percentEncoded(where: \.isUnescapedInQuery)
  }
}

extension [UInt8] {
  /// Appends `text`, escaped for a query.
  mutating func appendEscaped(_ text: String, spaces: ParameterEncoding.Spaces) {
    for byte in text.utf8 {
      if byte.isUnescapedInQuery {
        append(byte)
      } else if byte == UInt8(ascii: " "), spaces == .plus {
        append(UInt8(ascii: "+"))
      } else {
        append(escapeOf: byte)
      }
    }
  }
}

extension UInt8 {
  /// Whether the character needs no escape. `/` and `?` are allowed in a query (RFC 3986 §3.4).
  fileprivate var isUnescapedInQuery: Bool { isUnreserved || "/?".utf8.contains(self) }
}
