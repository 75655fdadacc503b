public import EssentialFoundation
public import MartletCore

/// The user names and passwords of a netrc file, by host.
///
///     machine api.example.com login ada password secret
///     default login anonymous password guest
///
/// Words may be in double quotes, with the escapes `\"` and `\\`. `#` in place of a keyword starts a comment. `account`
/// and `macdef` are ignored. Descriptions contain no secrets.
public struct Netrc: Sendable {
  private let machines: [NetrcMachine]

  /// The contents of a file.
  ///
  /// - Throws: `MartletError` with code `.invalidNetrc` when the file cannot be read, or is not in the format.
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
  /// - Throws: `MartletError` with code `.invalidNetrc`, whose message names the line.
  public init(_ text: String) throws(MartletError) {
    var reader = NetrcReader(text)
    machines = try reader.machines()
  }

  /// Returns the netrc file of the current user: the one that the environment variable `NETRC` names, or else `.netrc`
  /// in the home directory.
  ///
  /// - Parameter environment: The environment variables. The default is those of the process.
  /// - Returns: The URL of the file, which need not exist.
  public static func standardLocation(
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> URL {
    if let path = environment["NETRC"], !path.isEmpty { return URL(filePath: path) }
    return FileManager.default.homeDirectoryForCurrentUser.appending(path: ".netrc")
  }

  /// Returns the credential of the first entry for a host, or else of the default entry; `nil` when there is no such
  /// entry, or when it has no login.
  public func credential(for host: String) -> Credential? {
    let host = host.lowercased()
    let machine =
      machines.first { $0.host == host } ?? machines.first { $0.host == nil }
    guard let machine, let user = machine.user else { return nil }
    return .password(user: user, password: machine.password ?? "")
  }
}

extension Netrc: CustomStringConvertible, CustomReflectable {
  /// The netrc file as text: the number of its entries.
  public var description: String { "Netrc of \(machines.count) machines" }

  /// An empty mirror, because the contents are secret.
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
      default: throw .invalidNetrc(line: line, "it has an unknown word where a keyword is expected")
      }
    }
    return found
  }

  private mutating func set(
    _ part: WritableKeyPath<NetrcMachine, String?>, _ keyword: String
  ) throws(MartletError) {
    let value = try value(of: keyword)
    guard let last = found.indices.last else {
      throw .invalidNetrc(line: line, "“\(keyword)” comes before the first “machine”")
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

  /// Returns the next word; `nil` at the end. Blanks and line ends are skipped. Where a keyword is expected, comments
  /// are skipped, too.
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

  /// Skips a macro, which extends to the next empty line.
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
