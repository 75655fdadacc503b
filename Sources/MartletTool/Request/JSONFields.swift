import Foundation
import Martlet

/// The fields of the command line as a JSON object.
///
/// Members stand in the order of the fields; of several with one name the last counts. Raw JSON goes in
/// as it was written, so that no number loses a digit.
struct JSONFields {
  let text: String

  init(_ items: [RequestItem]) throws(ToolFailure) {
    var names: [String] = []
    var values: [String: String] = [:]
    for item in items {
      guard let (name, value) = try Self.member(item) else { continue }
      if values.updateValue(value, forKey: name) == nil { names.append(name) }
    }
    let members = names.map { "\(Self.quoted($0)): \(values[$0] ?? "null")" }
    text = "{" + members.joined(separator: ", ") + "}"
  }

  private static func member(_ item: RequestItem) throws(ToolFailure) -> (String, String)? {
    switch item {
    case .field(let name, let content): return (name, quoted(content.text))
    case .json(let name, let content):
      let json = content.text
      guard JSONPrinter.isJSON(json) else {
        throw .usage(
          "The field “\(name.masked)” is not valid JSON: “\(json.masked)”; write field=value for a text."
        )
      }
      return (name, json)
    default: return nil
    }
  }

  /// A text as a JSON string (RFC 8259 §7).
  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case "\0"..<" ":
        quoted += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
