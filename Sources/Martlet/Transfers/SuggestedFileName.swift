public import Foundation
public import MartletCore

extension ResponseHead {
  /// The name under which a body may be kept: the one that the server suggests (`Content-Disposition`,
  /// RFC 6266), else the last component of the URL's path.
  ///
  /// Servers may say what they like: of a path only its last component is taken, and nothing that would
  /// be hidden, or that a terminal would obey.
  ///
  /// - Parameter url: The URL that answered.
  /// - Returns: A name that is safe to append to a folder, or `nil` when neither gives one.
  public func suggestedFileName(from url: URL) -> String? {
    let suggested = headers[.contentDisposition].map(ContentDisposition.init)?.fileName
    let path = url.path(percentEncoded: true)
    let last = path.split(separator: "/", omittingEmptySubsequences: false).last
    let names = [suggested, last.flatMap { String($0).removingPercentEncoding }]
    return names.lazy.compactMap { $0.map(Self.safe) }.first { !$0.isEmpty }
  }

  /// Names of 255 bytes are the longest that common file systems take; this leaves room for a suffix.
  private static let longestName = 200

  private static func safe(_ name: String) -> String {
    let last = name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? ""
    let visible = last.unicodeScalars.filter { $0.properties.generalCategory != .control }
    var safe = String(String.UnicodeScalarView(visible)).trimmingCharacters(in: .whitespaces)
    safe = String(safe.drop { $0 == "." })
    while safe.utf8.count > longestName { safe.removeFirst() }
    return safe
  }
}
