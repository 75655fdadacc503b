import Foundation
import Martlet

/// The fields of the command line as a form.
struct FormFields {
  let text: String

  init(_ items: [RequestItem]) throws(ToolFailure) {
    var pairs: [(String, String)] = []
    for item in items {
      switch item {
      case .field("", _): throw .namelessInForm
      case .field(let name, let content): pairs.append((name, content.text))
      case .json(let name, _): throw .rawJSONInForm(name)
      default: break
      }
    }
    text = FormText.encode(pairs)
  }
}

/// Names and values as queries and forms have them.
enum FormText {
  /// `name=value&…`, everything but letters, digits and `-._~` percent-encoded, in the order given.
  static func encode(_ pairs: [(String, String)]) -> String {
    pairs.map { "\(encode($0.0))=\(encode($0.1))" }.joined(separator: "&")
  }

  private static let unreserved = CharacterSet(
    charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")

  private static func encode(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? text
  }
}
