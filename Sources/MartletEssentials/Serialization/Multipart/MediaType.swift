/// What kind of data a file holds, as its name has it.
package enum MediaType {
  /// The media type of a file by the extension of its name; `application/octet-stream` for one that is
  /// not known (REQ-M13).
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
