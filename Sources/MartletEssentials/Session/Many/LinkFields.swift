import HTTPTypes
import MartletCore

/// The links of a response (RFC 8288 §3).
struct LinkFields {
  private var links: [(target: String, parameters: FieldParameters)] = []

  init(_ headers: HTTPFields) {
    guard let name = HTTPField.Name("Link") else { return }
    for field in headers[values: name] { parse(field) }
  }

  /// Returns the target of the first link from this page with a relation; `nil` if there is none.
  ///
  /// A link with `anchor` comes from another page (§3.2). Relations are compared without regard to case (§2.1.1).
  func target(of relation: String) -> String? {
    links.first { link in
      let relations = link.parameters["rel"]?.lowercased().split(separator: " ") ?? []
      return link.parameters["anchor"] == nil && relations.contains { $0 == relation }
    }?.target
  }

  /// Reads the links of one field. A part that is not a link ends the reading.
  private mutating func parse(_ field: String) {
    var lexer = FieldLexer(field)
    while true {
      lexer.skip { $0.isBlank || $0 == UInt8(ascii: ",") }
      guard lexer.skip("<") else { return }
      let target = lexer.take { $0 != UInt8(ascii: ">") }
      guard lexer.skip(">") else { return }
      links.append((target.trimmingBlanks, FieldParameters(String(lexer.take(to: ",")))))
    }
  }
}
