import Foundation
import Martlet

extension RequestItem {
  /// The item with the text of the file that it names, if it names one for its text.
  ///
  /// - Throws: `ToolFailure` when a file that it names cannot be read, or holds no text.
  func readingFile() throws(ToolFailure) -> RequestItem {
    switch self {
    case .header(let name, let content): .header(name, try content.read(trimming: true))
    case .query(let name, let content): .query(name, try content.read())
    case .field(let name, let content): .field(name, try content.read())
    case .json(let name, let content): .json(name, try content.read())
    case .file(_, let path, _), .body(let path, _): try checking(path)
    case .removedHeader, .emptyHeader: self
    }
  }

  private func checking(_ path: String) throws(ToolFailure) -> RequestItem {
    try GivenFile(path).checkRegular()
    return self
  }
}

extension RequestItem.Content {
  /// The value as text; empty while it still stands in a file.
  var text: String {
    if case .text(let text) = self { text } else { "" }
  }

  /// Line breaks at the end, which editors put there, are left out when `trimming`.
  fileprivate func read(trimming: Bool = false) throws(ToolFailure) -> Self {
    guard case .file(let path) = self else { return self }
    let data = try GivenFile(path).contents()
    guard let text = String(validating: data, as: UTF8.self) else {
      throw .usage("The file “\(path.masked)” does not hold text in UTF-8.")
    }
    return .text(trimming ? text.trimmingCharacters(in: .whitespacesAndNewlines) : text)
  }
}
