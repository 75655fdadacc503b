import HTTPTypes
import MartletCore

extension HeadParser.Head {
  /// Whether the connection may serve another exchange after a body with this framing (RFC 9112 §9.3).
  ///
  /// Never after a response whose end two rules could tell (§6.3 #3), or that is chunked although HTTP/1.0
  /// has no chunks (§6.1).
  func allowsReuse(after framing: BodyFraming) -> Bool {
    let isAmbiguous = framing == .chunked && (fields.contentLength != nil || !isHTTP11)
    guard framing != .untilClose, !isAmbiguous else { return false }
    if fields.connection == nil || fields.connection == "keep-alive" {
      return isHTTP11 || fields.connection != nil
    }
    if fields.hasConnectionOption("close") { return false }
    return isHTTP11 || fields.hasConnectionOption("keep-alive")
  }
}
