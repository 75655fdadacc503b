import HTTPTypes
import NIOCore

extension MartletError: CustomDebugStringConvertible {
  /// The longest body in a report, in bytes.
  private static let longestBody = 1 << 10

  /// The message with all that is known: the code, what was sent (`>`) and what was received (`<`). Secrets are masked.
  ///
  ///     Request failed: unprocessable content (422) [unacceptableStatusCode]
  ///     > POST https://api.example.com/users
  ///     > Authorization: ***
  ///     >
  ///     > {"name":"Ada","password":"***"}
  ///     < 422 Unprocessable Content
  ///     < Content-Type: application/json
  ///     <
  ///     < {"error":"there is an Ada"}
  ///
  /// It is what `debugPrint` and `String(reflecting:)` show, and a program whose `main` throws the error.
  public var debugDescription: String {
    var lines = ["\(message) [\(code)]"]
    if let request {
      lines += Self.lines(">", "\(request.method) \(request.url.masked)", request.headers)
      if case .bytes(let bytes) = request.body.source {
        lines += Self.lines(">", bytes, type: request.headers[.contentType])
      }
    }
    if let response {
      lines += Self.lines("<", "\(response.status)", response.headers)
      if let body { lines += Self.lines("<", body, type: response.headers[.contentType]) }
    }
    return lines.joined(separator: "\n")
  }

  private static func lines(_ mark: String, _ start: String, _ fields: HTTPFields) -> [String] {
    ([start] + fields.map(\.masked)).map { "\(mark) \($0.escapingControlCharacters)" }
  }

  /// The lines of a body; its size if it is long, not text, or of a type whose secrets cannot be found.
  private static func lines(_ mark: String, _ body: ByteBuffer, type: String?) -> [String] {
    let bytes = body.readableBytesView
    guard !bytes.isEmpty else { return [] }
    guard bytes.count <= longestBody, let text = String(validating: bytes, as: UTF8.self),
      let masked = SecretText(text, type: type).masked
    else {
      return [mark, "\(mark) (\(bytes.count) bytes)"]
    }
    let lines = masked.split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return [mark] + lines.map { "\(mark) \(String($0).escapingControlCharacters)" }
  }
}
