import ArgumentParser

/// How the fields of the command line become a body.
enum FieldEncoding: String, EnumerableFlag {
  case json
  case form

  static func name(for value: FieldEncoding) -> NameSpecification {
    .shortAndLong
  }

  static func help(for value: FieldEncoding) -> ArgumentHelp? {
    switch value {
    case .json: "Send the fields as a JSON object (the default), and ask for JSON."
    case .form: "Send the fields as a form."
    }
  }

  /// What the body says of itself.
  var contentType: String {
    switch self {
    case .json: "application/json"
    case .form: "application/x-www-form-urlencoded; charset=utf-8"
    }
  }

  /// The body that the items' fields make; items that are no fields are passed over.
  ///
  /// - Throws: `ToolFailure` when a value is not JSON, or a form is to hold one that is no text.
  func text(of items: [RequestItem]) throws(ToolFailure) -> String {
    switch self {
    case .json: try JSONFields(items).text
    case .form: try FormFields(items).text
    }
  }
}
