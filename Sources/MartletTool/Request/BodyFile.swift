import Foundation
import Martlet

/// The file that is the whole body of a request, as `@file` has it.
struct BodyFile {
  let body: Body
  let contentType: String

  /// The one among the items; `nil` when there is none.
  ///
  /// - Parameters:
  ///   - items: The items of the command line.
  ///   - encoding: How fields are to be encoded, if that was asked for explicitly.
  /// - Throws: `ToolFailure` when something else would be the body as well; `MartletError` for a file that
  ///   cannot be sent.
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
    "There are several files for the body, which comes from one: leave the others out, or name them, as in field@file."
  )

  fileprivate static func bodyInForm(_ path: String) -> ToolFailure {
    .usage(
      "“@\(path.masked)” has no name, which a part of a form needs: write field@\(path.masked), or leave out --form and --multipart."
    )
  }

  fileprivate static func bodyBesideFields(_ path: String) -> ToolFailure {
    .usage(
      "“@\(path.masked)” is the whole body, beside which there can be no fields: leave one of them out, or write field@\(path.masked)."
    )
  }
}
