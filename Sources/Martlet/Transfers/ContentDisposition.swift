import Foundation
import MartletCore

/// The field that says what a body is to be called (RFC 6266 §4).
struct ContentDisposition {
  /// The name as the server wrote it; `filename*` wins over `filename` (§4.3).
  let fileName: String?

  init(_ field: String) {
    let parameters = FieldParameters(field)
    fileName = parameters["filename*"].flatMap(Self.extended) ?? parameters["filename"]
  }

  /// `UTF-8''na%C3%AFve.txt` (RFC 8187 §3.2).
  private static func extended(_ value: String) -> String? {
    let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].lowercased() == "utf-8" else { return nil }
    return String(parts[2]).removingPercentEncoding
  }
}
