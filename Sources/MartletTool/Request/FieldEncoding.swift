import ArgumentParser

/// How the fields of the command line become a body.
enum FieldEncoding: String, EnumerableFlag {
  case json
  case form
  case multipart

  static func name(for value: FieldEncoding) -> NameSpecification {
    value == .multipart ? .long : .shortAndLong
  }

  static func help(for value: FieldEncoding) -> ArgumentHelp? {
    switch value {
    case .json: "Send the fields as a JSON object (the default), and ask for JSON."
    case .form: "Send the fields as a form; one of several parts if there are files."
    case .multipart: "Send the fields as a form of several parts, even without files."
    }
  }

  /// What is meant by what was asked for: files make a form of several parts.
  ///
  /// - Throws: `ToolFailure` when JSON was asked for, and there are files.
  init(asked: FieldEncoding?, items: [RequestItem]) throws(ToolFailure) {
    guard items.contains(where: \.isFile) else {
      self = asked ?? .json
      return
    }
    guard asked != .json else {
      throw .usage("There are files to send, which JSON cannot hold: leave out --json.")
    }
    self = .multipart
  }
}
