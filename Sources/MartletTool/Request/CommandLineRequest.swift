import Foundation
import Martlet

/// A request as the command line describes it.
struct CommandLineRequest {
  var method: String?
  /// The whole URL.
  var url: String
  var items: [RequestItem] = []
  /// What was asked for explicitly; fields are JSON without.
  var encoding: FieldEncoding?

  /// Whether the body is made of fields.
  var hasFields: Bool { items.contains(where: \.isField) }

  /// The request to send.
  ///
  /// - Parameter input: The body that came on standard input, if any; fields win over it.
  /// - Returns: A request with the tool's default headers.
  /// - Throws: `ToolFailure` for fields that cannot be encoded; `MartletError` for a URL or a header that
  ///   cannot be sent.
  func request(input: Body? = nil) throws -> Request {
    let fields =
      try hasFields
      ? FieldBody(items, as: FieldEncoding(asked: encoding, items: items)) : nil
    let body = fields?.body ?? input
    let name = method ?? (body == nil ? "GET" : "POST")
    guard let method = HTTPRequest.Method(name) else { throw MartletError.invalidMethod(name) }
    var request = try Request(method, urlWithQuery, body: body ?? .empty)
    request.headers = try headers(contentType: fields?.contentType ?? input.map { _ in inputType })
    return request
  }

  /// What standard input holds, as far as can be guessed.
  private var inputType: String { encoding == .form ? FieldBody.form : FieldBody.json }

  // MARK: URL

  private var urlWithQuery: String {
    let pairs: [(String, String)] = items.compactMap {
      if case .query(let name, let content) = $0 { (name, content.text) } else { nil }
    }
    guard !pairs.isEmpty else { return url }
    let end = url.firstIndex(of: "#") ?? url.endIndex
    let base = url[..<end]
    let mark = base.contains("?") ? (base.hasSuffix("?") || base.hasSuffix("&") ? "" : "&") : "?"
    return base + mark + FormText.encode(pairs) + url[end...]
  }

  // MARK: Headers

  /// The defaults, but for those that an item replaces or removes, and then the items in their order.
  private func headers(contentType: String?) throws -> HTTPFields {
    let own = try ownHeaders()
    var removed: Set<String> = []
    for case .removedHeader(let name) in items {
      removed.insert(try HTTPField.Name(checking: name).canonicalName)
    }
    let isForm = contentType?.hasPrefix("multipart/") ?? false
    guard !isForm || !own.contains(.contentType) else { throw ToolFailure.contentTypeOfParts }
    var headers = defaults(contentType: contentType)
    headers.removeAll { own.contains($0.name) || removed.contains($0.name.canonicalName) }
    headers.append(contentsOf: own)
    return headers
  }

  /// The headers that items give.
  ///
  /// - Throws: `MartletError` for one that cannot be sent.
  func ownHeaders() throws(MartletError) -> HTTPFields {
    var own = HTTPFields()
    for item in items {
      switch item {
      case .header(let name, let content): try own.append(name: name, value: content.text)
      case .emptyHeader(let name): try own.append(name: name, value: "")
      default: break
      }
    }
    return own
  }

  private func defaults(contentType: String?) -> HTTPFields {
    let isJSON = encoding == .json || contentType == FieldBody.json
    var headers: HTTPFields = [
      .userAgent: "martlet/\(martletVersion)",
      .accept: isJSON ? "application/json, */*;q=0.5" : "*/*",
    ]
    headers[.contentType] = contentType
    return headers
  }

  /// Whether an item removes the header of that name.
  func removes(_ header: HTTPField.Name) -> Bool {
    items.contains {
      if case .removedHeader(let name) = $0 {
        name.lowercased() == header.canonicalName
      } else {
        false
      }
    }
  }
}
