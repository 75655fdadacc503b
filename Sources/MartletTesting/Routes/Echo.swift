import EssentialFoundation
import HTTPTypes
import NIOCore

/// The description of a request that httpbin returns, as values for JSON.
struct Echo {
  let request: ServerRequest

  init(_ request: ServerRequest) {
    self.request = request
  }

  /// The entries for every request.
  var message: [String: Any] {
    ["args": args, "headers": headers, "origin": request.remoteAddress, "url": request.url]
  }

  /// The entries for a request with a body.
  var messageWithBody: [String: Any] {
    let content = self.content
    var object = message
    object["form"] = Self.flattened(content.form)
    object["files"] = Self.flattened(content.files)
    object["data"] = content.data
    object["json"] = Self.json(content.raw)
    return object
  }

  var args: [String: Any] { Self.flattened(request.query) }

  /// The header fields: names in Title-Case, the values of repeated fields joined by commas.
  var headers: [String: String] {
    var headers: [String: String] = [:]
    for field in request.headers {
      let name = Self.titleCased(field.name.rawName)
      headers[name] = headers[name].map { $0 + "," + field.value } ?? field.value
    }
    return headers
  }

  /// The values by name: a string for a name that occurs once, a list for one that occurs more often.
  static func flattened(_ pairs: [(name: String, value: String)]) -> [String: Any] {
    Dictionary(grouping: pairs, by: \.name).mapValues { items in
      items.count == 1 ? items[0].value as Any : items.map(\.value) as Any
    }
  }

  private static func titleCased(_ name: String) -> String {
    name.split(separator: "-", omittingEmptySubsequences: false)
      .map { $0.prefix(1).uppercased() + $0.dropFirst().lowercased() }
      .joined(separator: "-")
  }

  private static func json(_ bytes: ByteBuffer) -> Any {
    let data = Data(bytes.readableBytesView)
    return (try? JSONDecoder().decode(EchoedJSON.self, from: data)) ?? EchoedJSON.null
  }
}

extension Echo {
  /// The body, parsed by its media type; `raw` is a body that is not a form.
  private struct Content {
    var form: [(name: String, value: String)] = []
    var files: [(name: String, value: String)] = []
    var raw = ByteBuffer()
    var data = ""
  }

  private var content: Content {
    let field = request.headers[.contentType] ?? ""
    let type = MediaType(field)
    switch type.name {
    case "application/x-www-form-urlencoded":
      return Content(form: FormCoding.pairs(String(buffer: request.body)))
    case "multipart/form-data":
      let parts = MultipartForm.parts(of: request.body, boundary: type.parameters["boundary"] ?? "")
      return Content(
        form: parts.filter { !$0.isFile }.map { ($0.name, $0.text) },
        files: parts.filter(\.isFile).map { ($0.name, $0.text) })
    default:
      let text = textOrDataURL(request.body, type: type.name)
      return Content(raw: request.body, data: text)
    }
  }
}

/// Bytes as text, or as a `data:` URL when they are not UTF-8.
func textOrDataURL(_ bytes: ByteBuffer, type: String) -> String {
  if let text = String(validating: bytes.readableBytesView, as: UTF8.self) { return text }
  let type = type.isEmpty ? "application/octet-stream" : type
  return "data:\(type);base64," + Data(bytes.readableBytesView).base64EncodedString()
}
