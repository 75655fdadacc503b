import Foundation
import HTTPTypes
import Martlet
import MartletXML

extension Response {
  /// A response with just a status and a content type.
  static func make(_ code: Int = 200, _ contentType: String? = "application/xml") -> Response {
    var headers = HTTPFields()
    headers[.contentType] = contentType
    let head = ResponseHead(status: HTTPResponse.Status(code: code), headers: headers)
    return Response(head: head, url: URL(fileURLWithPath: "/"))
  }
}

extension XMLEventSource {
  /// The events of a text.
  init(_ text: String) {
    self.init(Data(text.utf8))
  }

  /// All events.
  func all() throws -> [XMLEvent] {
    var events: [XMLEvent] = []
    try forEach { events.append($0) }
    return events
  }
}

extension XML {
  /// The element of a text.
  init(text: String, options: ReadingOptions = []) throws {
    try self.init(parsing: Data(text.utf8), options: options)
  }
}

/// The error that `body` throws, if it throws one of Martlet's.
func failure<Result>(_ body: () throws -> Result) -> MartletError? {
  do {
    _ = try body()
    return nil
  } catch {
    return error as? MartletError
  }
}

/// Why `body` says that XML could not be decoded.
func reason<Result>(_ body: () throws -> Result) -> String? {
  let start = "The response could not be decoded as XML: "
  guard let sentence = failure(body)?.message, sentence.hasPrefix(start), sentence.hasSuffix(".")
  else { return nil }
  return String(sentence.dropFirst(start.count).dropLast())
}
