public import EssentialFoundation
public import MartletCore

/// The user names and passwords of a netrc file, by host.
///
///     machine api.example.com login ada password secret
///     default login anonymous password guest
///
/// Words may stand in double quotes, with `\"` and `\\` in them; `#` in place of a keyword starts a comment.
/// `account` and `macdef` are read and passed over. Descriptions show no secret.
public struct Netrc: Sendable {
  private let machines: [NetrcMachine]

  /// The contents of a file.
  ///
  /// - Throws: `MartletError` with code `.invalidNetrc`.
  public init(contentsOf url: URL) throws(MartletError) {
    let data: Data
    do {
      data = try Data(contentsOf: url)
    } catch {
      throw .netrcNotReadable(url.path, underlying: error)
    }
    try self.init(String(decoding: data, as: UTF8.self))
  }

  /// The contents of a file, as text.
  ///
  /// - Throws: `MartletError` with code `.invalidNetrc`, which names the line.
  public init(_ text: String) throws(MartletError) {
    var reader = NetrcReader(text)
    machines = try reader.machines()
  }

  /// The file of the user who runs this program: the one that the variable `NETRC` names, else `.netrc` in the home
  /// directory.
  ///
  /// - Parameter environment: The default is that of the process.
  /// - Returns: Where the file is, if there is one.
  public static func standardLocation(
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> URL {
    if let path = environment["NETRC"], !path.isEmpty { return URL(filePath: path) }
    return FileManager.default.homeDirectoryForCurrentUser.appending(path: ".netrc")
  }

  /// What the first entry for a host says, or else the default entry.
  public func credential(for host: String) -> Credential? {
    let host = host.lowercased()
    let machine =
      machines.first { $0.host == host } ?? machines.first { $0.host == nil }
    guard let machine, let user = machine.user else { return nil }
    return .password(user: user, password: machine.password ?? "")
  }
}

extension Netrc: CustomStringConvertible, CustomReflectable {
  /// How many entries there are.
  public var description: String { "Netrc of \(machines.count) machines" }

  /// No parts: they are secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// One entry of a netrc file.
struct NetrcMachine: Sendable {
  /// `nil` for the default entry.
  var host: String?
  var user: String?
  var password: String?
}

/// Reads a netrc file word by word.
struct NetrcReader {
  private var rest: Substring.UnicodeScalarView
  private var line = 1
  private var found: [NetrcMachine] = []

  init(_ text: String) {
    rest = text[...].unicodeScalars
  }

  mutating func machines() throws(MartletError) -> [NetrcMachine] {
    while let word = try word(orComment: true) {
      switch word {
      case "machine": found.append(NetrcMachine(host: try value(of: word).lowercased()))
      case "default": found.append(NetrcMachine())
      case "login": try set(\.user, word)
      case "password": try set(\.password, word)
      case "account": _ = try value(of: word)
      case "macdef": try skipMacro()
      default: throw .invalidNetrc(line: line, "it has an unknown word where a keyword belongs")
      }
    }
    return found
  }

  private mutating func set(
    _ part: WritableKeyPath<NetrcMachine, String?>, _ keyword: String
  ) throws(MartletError) {
    let value = try value(of: keyword)
    guard let last = found.indices.last else {
      throw .invalidNetrc(line: line, "“\(keyword)” stands before any machine")
    }
    found[last][keyPath: part] = value
  }

  private mutating func value(of keyword: String) throws(MartletError) -> String {
    let start = line
    guard let value = try word(orComment: false) else {
      throw .invalidNetrc(line: start, "nothing follows “\(keyword)”")
    }
    return value
  }

  /// The next word, over line ends, and over comments where a keyword may stand; `nil` at the end.
  private mutating func word(orComment: Bool) throws(MartletError) -> String? {
    while let first = rest.first {
      if first == "#", orComment {
        skipLine()
      } else if first.properties.isWhitespace {
        advance()
      } else {
        return first == "\"" ? try quoted() : plain()
      }
    }
    return nil
  }

  private mutating func plain() -> String {
    let word = rest.prefix { !$0.properties.isWhitespace }
    rest = rest[word.endIndex...]
    return String(word)
  }

  private mutating func quoted() throws(MartletError) -> String {
    let start = line
    advance()
    var word = String.UnicodeScalarView()
    while let scalar = advance() {
      switch scalar {
      case "\"": return String(word)
      case "\\": if let escaped = advance() { word.append(escaped) }
      default: word.append(scalar)
      }
    }
    throw .invalidNetrc(line: start, "a quotation mark is not closed")
  }

  /// A macro goes to the next empty line.
  private mutating func skipMacro() throws(MartletError) {
    _ = try value(of: "macdef")
    skipLine()
    while let first = rest.first, first != "\n", first != "\r" { skipLine() }
  }

  private mutating func skipLine() {
    while let scalar = advance(), scalar != "\n" {}
  }

  @discardableResult
  private mutating func advance() -> Unicode.Scalar? {
    let scalar = rest.popFirst()
    if scalar == "\n" { line += 1 }
    return scalar
  }
}
