import EssentialFoundation

/// How parameters are written into queries and forms.
///
///     var serializer = HTTPRequestSerializer()
///     serializer.parameterEncoding.booleans = .words
///     serializer.parameterEncoding.keys = .snakeCase
///
/// The defaults are AFNetworking's, except for dates and data, which AFNetworking writes as their debug descriptions
/// (REQ-Q15). JSON and property lists do not use these settings.
public struct ParameterEncoding: Hashable, Codable, Sendable {
  /// How the elements of an array `a` are named.
  public enum Arrays: String, Hashable, Codable, Sendable {
    /// `a[]=1&a[]=2`
    case brackets
    /// `a=1&a=2`
    case noBrackets
    /// `a[0]=1&a[1]=2`
    case indices
  }

  /// How booleans are written.
  public enum Booleans: String, Hashable, Codable, Sendable {
    /// `1` and `0`.
    case numbers
    /// `true` and `false`.
    case words
  }

  /// How dates are written.
  public enum Dates: String, Hashable, Codable, Sendable {
    /// Seconds since the beginning of 1970, with a fraction if there is one.
    case secondsSince1970
    /// Whole milliseconds since the beginning of 1970.
    case millisecondsSince1970
    /// Such as `2026-11-21T12:00:00Z`, whole seconds in UTC (RFC 3339).
    case iso8601
  }

  /// How data is written. Multipart forms contain the bytes themselves (REQ-M5).
  public enum DataStyle: String, Hashable, Codable, Sendable {
    /// Base64 (RFC 4648 §4).
    case base64
    /// Base64 with `-` and `_`, and without `=` (RFC 4648 §5).
    case base64URL
  }

  /// How the names that types declare are written. The `String` keys of dictionaries are not changed.
  public enum Keys: String, Hashable, Codable, Sendable {
    /// `pageSize`
    case asDeclared
    /// `page_size`
    case snakeCase
    /// `page-size`
    case kebabCase
  }

  /// How null is written.
  public enum Nulls: String, Hashable, Codable, Sendable {
    /// `a`, without an equals sign.
    case nameOnly
    /// `a=`
    case emptyValue
    /// `a=null`
    case word
    /// Not at all.
    case omitted = "leftOut"
  }

  /// How spaces are written.
  public enum Spaces: String, Hashable, Codable, Sendable {
    /// `%20`
    case percent
    /// `+`, as in HTML forms.
    case plus
  }

  /// The order in which names are written.
  public enum Order: String, Hashable, Codable, Sendable {
    /// By code point: `B` before `a`, `10` before `9`.
    case sorted
    /// In the order of the literal, or in the order in which the value encodes them. The names of a
    /// ``Parameters/dictionary(_:)``, and of a Swift dictionary whose keys are `String`, are sorted, because it has no
    /// order.
    case insertion = "kept"
  }

  /// How the elements of arrays are named. The default is `.brackets` (REQ-Q10).
  public var arrays = Arrays.brackets
  /// How booleans are written. The default is `.numbers` (REQ-Q15).
  public var booleans = Booleans.numbers
  /// How dates are written. The default is `.secondsSince1970`.
  public var dates = Dates.secondsSince1970
  /// How data is written. The default is `.base64`.
  public var data = DataStyle.base64
  /// How the names that types declare are written. The default is `.asDeclared`.
  public var keys = Keys.asDeclared
  /// How null is written. The default is `.nameOnly` (REQ-Q13).
  public var nulls = Nulls.nameOnly
  /// How spaces are written. The default is `.percent` (REQ-Q2).
  public var spaces = Spaces.percent
  /// The order in which names are written. The default is `.sorted` (REQ-Q8).
  public var order = Order.sorted

  /// The documented defaults.
  public init() {}
}

extension ParameterEncoding {
  /// Returns the text of a value; `nil` for null and for containers.
  ///
  /// - Throws: `MartletError` with code `.invalidParameters` for a number or date that is not finite, and with
  ///   `.iso8601` also for a date outside the years 0 to 9999.
  func text(of value: Parameters, at field: String) throws(MartletError) -> String? {
    switch value {
    case .bool(let value): text(of: value)
    case .integer(let value): String(value)
    case .unsigned(let value): String(value)
    case .string(let value): value
    case .double(let value): try value.finite(at: field).numberText
    case .date(let value): try text(of: value, at: field)
    case .data(let value): text(of: value)
    case .null, .array, .set, .dictionary, .ordered, .encodable: nil
    }
  }

  private func text(of value: Bool) -> String {
    switch booleans {
    case .numbers: value ? "1" : "0"
    case .words: value ? "true" : "false"
    }
  }

  private func text(of date: Date, at field: String) throws(MartletError) -> String {
    let seconds = try date.timeIntervalSince1970.finite(at: field)
    switch dates {
    case .secondsSince1970: return seconds.numberText
    case .millisecondsSince1970: return (seconds * 1000).rounded().numberText
    case .iso8601:
      // RFC 3339 §1: years from 0 to 9999.
      guard (-62_167_219_200..<253_402_300_800).contains(seconds) else {
        throw .invalidParameters("the date at “\(field.masked)” is not in the years 0 to 9999")
      }
      return date.formatted(.iso8601)
    }
  }

  private func text(of data: Data) -> String {
    let text = data.base64EncodedString()
    switch self.data {
    case .base64: return text
    case .base64URL:
      return text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
  }
}

extension Double {
  fileprivate func finite(at field: String) throws(MartletError) -> Double {
    guard isFinite else {
      throw .invalidParameters("the number at “\(field.masked)” is not finite")
    }
    return self
  }
}

extension ParameterEncoding.Keys {
  /// Returns a declared name in the form in which it is written.
  func written(_ name: String) -> String {
    switch self {
    case .asDeclared: name
    case .snakeCase: name.words(joinedBy: "_")
    case .kebabCase: name.words(joinedBy: "-")
    }
  }
}

extension String {
  /// Returns the words of a camel-case name in lower case, joined by `separator`. As in `JSONEncoder`, `isURLKnown` has
  /// three words.
  fileprivate func words(joinedBy separator: Character) -> String {
    let letters = Array(self)
    var words = ""
    for (index, letter) in letters.enumerated() {
      if index > 0, letter.isUppercase {
        let previous = letters[index - 1]
        let isBeforeLower = index + 1 < letters.count && letters[index + 1].isLowercase
        let beginsWord = previous.isUppercase ? isBeforeLower : previous != "_" && previous != "-"
        if beginsWord { words.append(separator) }
      }
      words.append(letter.lowercased())
    }
    return words
  }
}
