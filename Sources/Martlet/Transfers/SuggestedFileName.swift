public import Foundation
public import MartletCore

extension ResponseHead {
  /// The name under which a download would be kept: the one that the server suggests
  /// (`Content-Disposition`, RFC 6266), else the last part of the URL's path, else `download`.
  ///
  /// Only the last component counts, so that no server can place a file outside of the folder chosen,
  /// nor a hidden one in it.
  ///
  /// - Parameter url: The URL that answered.
  /// - Returns: A name that is safe to append to a folder.
  public func suggestedFileName(from url: URL) -> String {
    let candidates = [headers[.contentDisposition].flatMap(Self.fileName), url.lastPathComponent]
    return candidates.lazy.compactMap { $0.flatMap(Self.safe) }.first ?? "download"
  }

  /// `filename*` wins over `filename` (RFC 6266 §4.3).
  private static func fileName(in disposition: String) -> String? {
    let parameters = disposition.split(separator: ";").dropFirst().map { parameter in
      parameter.trimmingCharacters(in: .whitespaces)
    }
    func value(_ name: String) -> String? {
      let start = name + "="
      guard let found = parameters.first(where: { $0.lowercased().hasPrefix(start) }) else {
        return nil
      }
      return found.dropFirst(start.count).trimmingCharacters(in: CharacterSet(charactersIn: "\" "))
    }
    if let extended = value("filename*") {
      let parts = extended.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
      if parts.count == 3, let decoded = parts[2].removingPercentEncoding { return decoded }
    }
    return value("filename")
  }

  private static func safe(_ name: String) -> String? {
    let last = name.split { $0 == "/" || $0 == "\\" }.last ?? ""
    let visible = last.unicodeScalars.filter { $0.properties.generalCategory != .control }
    let text = String(String.UnicodeScalarView(visible)).drop { $0 == "." }
    return text.isEmpty ? nil : String(text.prefix(200))
  }
}
