/// Reads a list of challenges, in which a comma may part two parameters or two challenges.
struct ChallengeReader {
  private static let limit = 64

  private var rest: Substring.UTF8View
  private var found: [AuthenticationChallenge] = []

  init(_ field: String) {
    rest = field[...].utf8
  }

  mutating func challenges() -> [AuthenticationChallenge] {
    while skipSeparators(), found.count <= Self.limit {
      let name = take(while: \.isToken)
      if name.isEmpty {
        // No name may begin like this.
        skipToComma()
      } else if let value = parameterValue() {
        add(name, value)
      } else {
        begin(name)
      }
    }
    return Array(found.prefix(Self.limit))
  }

  /// The parameters of a field that has nothing else (RFC 9110 §11.6.3).
  mutating func parameters() -> [String: String] {
    found = [AuthenticationChallenge(scheme: "")]
    return challenges().first?.parameters ?? [:]
  }

  private mutating func begin(_ scheme: String) {
    found.append(AuthenticationChallenge(scheme: scheme, token: token()))
  }

  private mutating func add(_ name: String, _ value: String) {
    guard let last = found.indices.last else { return }
    let name = name.lowercased()
    if found[last].parameters[name] == nil { found[last].parameters[name] = value }
  }

  /// What follows a name and an equals sign; `nil`, and nothing is read, when there is no such sign.
  private mutating func parameterValue() -> String? {
    let start = rest
    skip(while: \.isBlank)
    guard rest.first == .equals else {
      rest = start
      return nil
    }
    rest.removeFirst()
    skip(while: \.isBlank)
    return rest.first == .quote ? quoted() : take { !$0.isBlank && $0 != .comma }
  }

  private mutating func quoted() -> String {
    rest.removeFirst()
    var bytes: [UInt8] = []
    while let byte = rest.popFirst(), byte != .quote {
      bytes.append(byte == .backslash ? rest.popFirst() ?? byte : byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The value behind a scheme that stands alone; `nil`, and nothing is read, when a parameter follows.
  private mutating func token() -> String? {
    let start = rest
    skip(while: \.isBlank)
    let token = take(while: \.isToken68) + take { $0 == .equals }
    skip(while: \.isBlank)
    if !token.isEmpty, rest.isEmpty || rest.first == .comma { return token }
    rest = start
    return nil
  }

  /// Whether there is anything behind blanks and commas.
  private mutating func skipSeparators() -> Bool {
    skip { $0.isBlank || $0 == .comma }
    return !rest.isEmpty
  }

  private mutating func skipToComma() {
    var isQuoted = false
    while let byte = rest.first, isQuoted || byte != .comma {
      if byte == .quote { isQuoted.toggle() }
      rest.removeFirst()
    }
  }

  private mutating func skip(while isPart: (UInt8) -> Bool) {
    rest = rest.drop(while: isPart)
  }

  private mutating func take(while isPart: (UInt8) -> Bool) -> String {
    let part = rest.prefix(while: isPart)
    rest = rest[part.endIndex...]
    return String(Substring(part))
  }
}

extension UInt8 {
  fileprivate static let comma = UInt8(ascii: ",")
  fileprivate static let equals = UInt8(ascii: "=")
  fileprivate static let quote = UInt8(ascii: "\"")
  fileprivate static let backslash = UInt8(ascii: "\\")

  fileprivate var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }

  private var isLetterOrDigit: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: false
    }
  }

  /// RFC 9110 §5.6.2.
  fileprivate var isToken: Bool { isLetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains(self) }

  /// RFC 9110 §11.2, without the equals signs at the end.
  fileprivate var isToken68: Bool { isLetterOrDigit || "-._~+/".utf8.contains(self) }
}
