import EssentialFoundation
import MartletEssentials

/// A request as the command line describes it.
struct CommandLineRequest {
  var method: String?
  /// The complete URL.
  var url: String
  var items: [RequestItem] = []
  /// The encoding that an option sets. The default is JSON, or a multipart form if there are files.
  var encoding: FieldEncoding?

  /// Whether items make the body.
  var hasBody: Bool { items.contains { $0.isField || $0.isBody } }

  /// The request to send.
  ///
  /// - Parameter input: The body on standard input, if any. A body that items make takes precedence.
  /// - Returns: A request with the tool's default headers.
  /// - Throws: `ToolFailure` for items that cannot be sent; `MartletError` for a URL, a method or a header that
  ///   is not valid.
  func request(input: RequestBody? = nil) throws -> Request {
    try checkHeaders()
    let given = try givenBody()
    let body = given?.body ?? input
    let name = method ?? (body == nil ? "GET" : "POST")
    guard let method = HTTPRequest.Method(name) else { throw MartletError.invalidMethod(name) }
    guard method != .connect else { throw MartletError.connectNotSent }
    var request = try Request(method, urlWithQuery, body: body ?? .empty)
    request.headers = try headers(contentType: given?.contentType ?? input.map { _ in inputType })
    request.options.expectsContinue = expectsContinue
    if removes(.cookie) { request.options.shouldHandleCookies = false }
    return request
  }

  // MARK: Body

  /// The body that the items make, if any.
  private func givenBody() throws -> (body: RequestBody, contentType: String)? {
    if let file = try BodyFile(items, encoding: encoding) { return (file.body, file.contentType) }
    guard hasBody else { return nil }
    let fields = try FieldBody(items, as: FieldEncoding(asked: encoding, items: items))
    return (fields.body, fields.contentType)
  }

  /// The media type to assume for standard input.
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
}

extension MartletError {
  /// The error for CONNECT. The tool sends single requests, and cannot use a tunnel.
  fileprivate static let connectNotSent = MartletError(
    .invalidRequest,
    "CONNECT cannot be sent as a request: set a proxy to send requests through a tunnel, or use another method."
  )
}
