import Foundation
import Martlet

/// What a download is called when the command line does not say.
///
/// The name comes from `Content-Disposition` (RFC 6266), else from the last component of the URL's path.
/// Servers may say what they like: of a path only its last component is taken, and nothing that would be
/// hidden, or that a terminal would obey.
enum DownloadName {
  /// The name of a file in the current directory.
  ///
  /// - Throws: `ToolFailure` when neither gives a name.
  static func choose(_ head: ResponseHead, url: URL) throws(ToolFailure) -> String {
    let suggested = head.headers[.contentDisposition].map(ContentDisposition.init)?.fileName
    let last = url.path(percentEncoded: true).split(
      separator: "/", omittingEmptySubsequences: false
    )
    .last.flatMap { String($0).removingPercentEncoding }
    for name in [suggested, last].compactMap({ $0 }).map(safe) where !name.isEmpty { return name }
    throw ToolFailure("Neither the response nor the URL names a file: give a name with --output.")
  }

  /// A name that is free, with a number before its extension when it has to be: `a-1.zip`.
  static func unused(_ name: String, isTaken: (String) -> Bool) -> String {
    guard isTaken(name) else { return name }
    let dot = name.lastIndex(of: ".") ?? name.endIndex
    let names = (1...).lazy.map { "\(name[..<dot])-\($0)\(name[dot...])" }
    return names.first { !isTaken($0) } ?? name
  }

  /// Room for what is added to a name while the file is written.
  private static let longest = 200

  private static func safe(_ name: String) -> String {
    let last = name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? ""
    let visible = last.unicodeScalars.filter { $0.properties.generalCategory != .control }
    var safe = String(String.UnicodeScalarView(visible)).trimmingCharacters(in: .whitespaces)
    safe = String(safe.drop { $0 == "." })
    while safe.utf8.count > longest { safe.removeFirst() }
    return safe
  }
}
