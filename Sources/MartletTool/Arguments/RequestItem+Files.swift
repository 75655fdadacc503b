import Foundation
import Martlet

extension RequestItem {
  /// The item with the text of the file that it names, if it names one.
  ///
  /// - Throws: `ToolFailure` when the file cannot be read, or holds no text.
  func readingFile() throws(ToolFailure) -> RequestItem {
    switch self {
    case .header(let name, let content): .header(name, try content.read(trimming: true))
    case .query(let name, let content): .query(name, try content.read())
    case .field(let name, let content): .field(name, try content.read())
    case .json(let name, let content): .json(name, try content.read())
    case .removedHeader, .emptyHeader, .file: self
    }
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
    guard let data = FileManager.default.contents(atPath: path) else {
      throw .usage("The file “\(path.masked)” cannot be read: check that it exists.")
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw .usage("The file “\(path.masked)” does not hold text in UTF-8.")
    }
    return .text(trimming ? text.trimmingCharacters(in: .whitespacesAndNewlines) : text)
  }
}
