import ArgumentParser
import EssentialFoundation
import MartletEssentials

/// The body that fields make, and its media type.
struct FieldBody {
  let body: RequestBody
  let contentType: String

  static let json = "application/json"
  static let form = "application/x-www-form-urlencoded; charset=utf-8"

  /// The body that the fields among `items` make. Other items are ignored.
  ///
  /// - Throws: `ToolFailure` when a value is not JSON, when a name is not valid in JSON, or when a form has raw JSON or
  ///   a field without a name; `MartletError` for a file that cannot be sent.
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
    "A multipart form sets its own Content-Type, which contains the boundary between the parts: leave that header out."
  )
}

/// How the fields of the command line are encoded as a body.
enum FieldEncoding: String, EnumerableFlag {
  case json
  case form
  case multipart

  static func name(for value: FieldEncoding) -> NameSpecification {
    value == .multipart ? .long : .shortAndLong
  }

  static func help(for value: FieldEncoding) -> ArgumentHelp? {
    switch value {
    case .json: "Send the fields as a JSON object (the default), and request a JSON response."
    case .form: "Send the fields as a form, or as a multipart form if there are files."
    case .multipart: "Send the fields as a multipart form, even without files."
    }
  }

  /// The encoding to use: a multipart form if there are files, else the one asked for, else JSON.
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

/// The file of an `@file`, which is the whole body of a request.
struct BodyFile {
  let body: RequestBody
  let contentType: String

  /// The file of the body among the items; `nil` when there is none.
  ///
  /// - Parameters:
  ///   - items: The items of the command line.
  ///   - encoding: The encoding that an option sets, if any.
  /// - Throws: `ToolFailure` when there is another file or a field, or a form is asked for; `MartletError` for a file
  ///   that cannot be sent.
  init?(_ items: [RequestItem], encoding: FieldEncoding?) throws {
    let files = items.filter(\.isBody)
    guard case .body(let path, let type) = files.first else { return nil }
    guard files.count == 1 else { throw ToolFailure.secondBody }
    guard encoding == nil || encoding == .json else { throw ToolFailure.bodyInForm(path) }
    guard !items.contains(where: \.isField) else { throw ToolFailure.bodyBesideFields(path) }
    let url = URL(fileURLWithPath: path)
    body = try .file(at: url)
    contentType = type ?? MediaType.ofFile(named: url.lastPathComponent)
  }
}

extension ToolFailure {
  fileprivate static let secondBody = ToolFailure.usage(
    "There are several files for the body, which can be one file only: leave the others out, or name them, as in field@file."
  )

  fileprivate static func bodyInForm(_ path: String) -> ToolFailure {
    .usage(
      "“@\(path.masked)” has no name, which a part of a form needs: write field@\(path.masked), or leave out --form and --multipart."
    )
  }

  fileprivate static func bodyBesideFields(_ path: String) -> ToolFailure {
    .usage(
      "“@\(path.masked)” is the whole body, so there can be no fields: leave it or the fields out, or write field@\(path.masked)."
    )
  }
}
