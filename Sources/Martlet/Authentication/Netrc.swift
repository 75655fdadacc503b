public import Foundation
public import MartletCore
public import MartletTransport

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
