import Foundation
import Martlet

/// The body that fields make, and what it says of itself.
struct FieldBody {
  let body: Body
  let contentType: String

  static let json = "application/json"
  static let form = "application/x-www-form-urlencoded; charset=utf-8"

  /// The fields among `items`; what is none is passed over.
  ///
  /// - Throws: `ToolFailure` when a value is not JSON, or a form is to hold one that is no text;
  ///   `MartletError` for a file that cannot be sent.
  init(_ items: [RequestItem], as encoding: FieldEncoding) throws {
    switch encoding {
    case .json:
      body = .text(try JSONFields(items).text)
      contentType = Self.json
    case .form:
      body = .text(try FormFields(items).text)
      contentType = Self.form
    case .multipart:
      (body, contentType) = try MultipartFormData(items).encoded()
    }
  }
}

extension MultipartFormData {
  fileprivate init(_ items: [RequestItem]) throws {
    self.init()
    for item in items {
      switch item {
      case .field("", _): throw ToolFailure.namelessInForm
      case .field(let name, let content): append(text: content.text, name: name)
      case .file(let name, let path, let type):
        try append(fileAt: URL(fileURLWithPath: path), name: name, mimeType: type)
      case .json(let name, _): throw ToolFailure.rawJSONInForm(name)
      default: break
      }
    }
  }
}

extension ToolFailure {
  static func rawJSONInForm(_ name: String) -> ToolFailure {
    .usage(
      "The field “\(name.masked)” is raw JSON, which a form cannot hold: write field=value, or leave out --form."
    )
  }

  static let namelessInForm = ToolFailure.usage(
    "A field of a form needs a name: write one before “=”.")

  static let contentTypeOfParts = ToolFailure.usage(
    "A form of several parts sets its own Content-Type, which names the boundary between them: leave that header out."
  )
}
