import EssentialFoundation
import HTTPTypes
import MartletCore
import NIOCore

extension HTTPArchive.Request {
  /// A request for an archive.
  ///
  /// - Parameters:
  ///   - request: The request, as it was sent.
  ///   - version: The version of HTTP.
  ///   - sent: How many bytes of the body were sent.
  ///   - options: What is kept.
  init(_ request: Request, _ version: String, sent: Int64, _ options: ArchiveOptions) {
    method = request.method.rawValue
    url =
      options.showsSecrets
      ? request.url.absoluteString
      : request.url.absoluteString.maskingSecretParameters(isURL: true).withoutUserInfo
    httpVersion = version
    headers = request.headers.archived(options)
    cookies = request.headers[values: .cookie].flatMap { $0.split(separator: ";") }
      .compactMap { HTTPArchive.Pair(cookie: $0, options) }
    queryString = HTTPArchive.Pair.query(of: url)
    postData = HTTPArchive.PostData(request, options)
    headersSize = -1
    bodySize = sent
  }
}

extension HTTPArchive.PostData {
  fileprivate init?(_ request: Request, _ options: ArchiveOptions) {
    mimeType = request.headers[.contentType] ?? ""
    guard case .bytes(let bytes) = request.body.source, bytes.readableBytes <= options.bodyLimit,
      let archived = bytes.archived(type: mimeType, options)
    else {
      guard !request.body.isEmpty else { return nil }
      comment = "The body is not kept."
      return
    }
    text = archived.text
    comment = archived.encoding.map { "The text is the body in \($0)." }
  }
}

extension HTTPArchive.Response {
  /// A response for an archive.
  ///
  /// - Parameters:
  ///   - head: The head; `nil` if there was no response.
  ///   - version: The version of HTTP.
  ///   - received: How many bytes of the body were received.
  ///   - options: What is kept.
  init(_ head: ResponseHead?, _ version: String, received: Int64, _ options: ArchiveOptions) {
    status = head?.status.code ?? 0
    statusText = head?.status.reasonPhrase ?? ""
    httpVersion = version
    headers = head?.headers.archived(options) ?? []
    let setFields = head?.headers[values: .setCookie] ?? []
    cookies = setFields.compactMap { field in
      field.split(separator: ";").first.flatMap { HTTPArchive.Pair(cookie: $0, options) }
    }
    content = HTTPArchive.Content(
      size: received, mimeType: head?.headers[.contentType] ?? "")
    redirectURL = headers.first { $0.name.lowercased() == "location" }?.value ?? ""
    headersSize = -1
    bodySize = head == nil ? -1 : received
  }
}

extension HTTPFields {
  fileprivate func archived(_ options: ArchiveOptions) -> [HTTPArchive.Pair] {
    map { field in
      HTTPArchive.Pair(
        name: field.name.rawName, value: options.showsSecrets ? field.value : field.maskedValue)
    }
  }
}

extension HTTPArchive.Pair {
  /// A cookie from `name=value`.
  fileprivate init?(cookie text: Substring, _ options: ArchiveOptions) {
    let parts = text.split(separator: "=", maxSplits: 1)
    guard let name = parts.first?.drop(while: { $0 == " " }), !name.isEmpty else { return nil }
    self.name = String(name)
    value = options.showsSecrets ? String(parts.dropFirst().first ?? "") : ArchiveOptions.mask
  }

  /// The parameters of a URL, whose secrets are masked.
  fileprivate static func query(of url: String) -> [Self] {
    let items = URLComponents(string: url)?.queryItems ?? []
    return items.map { Self(name: $0.name, value: $0.value ?? "") }
  }
}
