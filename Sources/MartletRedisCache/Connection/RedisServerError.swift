import MartletCore

/// An error that a server has answered with.
struct RedisServerError {
  /// The first word, such as `WRONGTYPE`; `nil` if that is not in capitals.
  let code: String?
  /// The text up to the first quote. Servers repeat arguments in quotes, which may be secret.
  private let text: String

  init(_ reply: String) {
    let word = reply.prefix { $0 != " " }
    let isCode =
      !word.isEmpty && word.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    code = isCode ? String(word) : nil
    text = String(reply.prefix { !"'`\"".contains($0) }).sanitized
  }

  /// Whether the server cannot be used now.
  var isUnavailable: Bool { state != nil }

  /// The failure of a command.
  func failure(of command: RESPCommand) -> RedisFailure {
    if let state, let code { return RedisFailure(reason: "\(state) (\(code))") }
    // A server may repeat the password without quotes.
    let shown = command.name == "AUTH" ? code ?? "no code" : text
    return RedisFailure(reason: "answered \(command.name) with an error: \(shown)")
  }

  private var state: String? {
    switch code {
    case "LOADING": "is loading its data"
    case "READONLY": "is a replica, which accepts no changes"
    case "MASTERDOWN": "is a replica that has lost its primary"
    case "NOREPLICAS": "accepts no changes because it has too few replicas"
    case "MISCONF": "accepts no changes because it cannot save its data"
    case "OOM": "has no free memory, and its policy evicts no keys"
    case "BUSY": "is busy with a script"
    case "MOVED", "ASK", "TRYAGAIN", "CLUSTERDOWN", "CROSSSLOT":
      "is a node of a cluster, which is not supported"
    default: nil
    }
  }
}
