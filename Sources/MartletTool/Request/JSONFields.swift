import Martlet
import MartletCore

/// The fields of the command line as a JSON object, or an array.
///
/// Members stand in the order of the fields; of several with one name the last counts. Raw JSON goes in
/// as it was written, so that no number loses a digit. `FieldPath` says what brackets in a name mean.
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
