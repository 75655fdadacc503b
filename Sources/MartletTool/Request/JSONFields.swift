import EssentialFoundation
import MartletEssentials
import MartletCore

/// The fields of the command line as a JSON object, or an array.
///
/// The members are in the order of the fields. Of several fields with the same name, the last one counts. Raw JSON is
/// not changed, so that no number loses a digit. For brackets in names, see `FieldPath`.
struct JSONFields {
  let text: String

  init(_ items: [RequestItem]) throws(ToolFailure) {
    var body = JSONTree.null
    for item in items {
      guard let (name, value) = try Self.field(item) else { continue }
      do throws(FieldNameError) {
        try body.set(FieldPath(name), to: value)
      } catch {
        throw .usage(error.message)
      }
    }
    text = body.text
  }

  private static func field(_ item: RequestItem) throws(ToolFailure) -> (String, JSONTree)? {
    switch item {
    case .field(let name, let content): return (name, .written(content.text.quotedAsJSON))
    case .json(let name, let content):
      let json = content.text
      guard JSONPrinter.isJSON(json) else {
        throw .usage(
          "The field “\(name.masked)” is not valid JSON: “\(json.masked)”; write field=value for a text."
        )
      }
      return (name, .written(json))
    default: return nil
    }
  }
}

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

/// The encoding of names and values in queries and forms.
enum FormText {
  /// `name=value&…`, everything but ASCII letters, digits and `-._~` percent-encoded, in the order given.
  static func encode(_ pairs: [(String, String)]) -> String {
    pairs.map { "\(encode($0.0))=\(encode($0.1))" }.joined(separator: "&")
  }

  private static func encode(_ text: String) -> String {
    text.percentEncoded(where: \.isUnreserved)
  }
}
