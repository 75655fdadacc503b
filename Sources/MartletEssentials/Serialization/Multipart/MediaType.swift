/// The media types of files, determined by the file name.
package enum MediaType {
  /// Returns the media type of a file by the extension of its name; `application/octet-stream` for an unknown extension
  /// (REQ-M13).
  package static func ofFile(named name: String) -> String {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count > 1, let last = parts.last else { return unknown }
    return types[last.lowercased()] ?? unknown
  }

  private static let unknown = "application/octet-stream"

  private static let types: [String: String] = {
    var types: [String: String] = [:]
    for line in MediaTypeTable.text.split(separator: "\n") {
      guard let gap = line.firstIndex(of: " ") else { continue }
      types[String(line[..<gap])] = String(line[line.index(after: gap)...])
    }
    return types
  }()
}
