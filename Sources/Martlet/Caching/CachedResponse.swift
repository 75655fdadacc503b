public import Foundation
public import HTTPTypes
public import MartletCore
public import NIOCore

/// A response that is kept, with what tells whether another request may be answered with it.
public struct CachedResponse: Sendable {
  /// Status and header fields.
  public var head: ResponseHead
  /// The body, decompressed.
  public var body: ByteBuffer
  /// The URL that answered.
  public var url: URL
  /// When the request was sent.
  public var requestTime: Date
  /// When the response arrived.
  public var responseTime: Date
  /// The fields of the request that the response depends on, by the names in its `Vary`.
  public var varying: [HTTPField.Name: [String]]

  /// A response that may be kept.
  init(_ response: Response, body: ByteBuffer, to request: Request, requestTime: Date) {
    head = response.head
    // A copy, for this one may be a slice of something larger.
    self.body = ByteBuffer(bytes: body.readableBytesView)
    url = response.url
    self.requestTime = requestTime
    responseTime = Date()
    varying = Self.varying(head, request) ?? [:]
  }

  /// The response as a request gets it.
  var response: Response {
    var response = Response(
      head: head, url: url, body: ResponseBody(bytes: body, completion: .init()))
    response.isFromCache = true
    return response
  }

  /// Whether a request asks for the same representation (RFC 9111 §4.1).
  func fits(_ request: Request) -> Bool {
    varying.allSatisfy { request.headers[values: $0.key] == $0.value }
  }

  /// The values that a request has for the fields that a response depends on; `nil` when it depends on more
  /// than fields.
  static func varying(_ head: ResponseHead, _ request: Request) -> [HTTPField.Name: [String]]? {
    var varying: [HTTPField.Name: [String]] = [:]
    for name in head.headers[values: .vary].flatMap({ $0.split(separator: ",") }) {
      guard let name = HTTPField.Name(name.trimmingCharacters(in: .whitespaces)),
        name.rawName != "*"
      else { return nil }
      varying[name] = request.headers[values: name]
    }
    return varying
  }
}

extension CachedResponse: CustomStringConvertible, CustomReflectable {
  /// The response as text, such as `<CachedResponse: 200 OK from https://example.com/, 12 bytes>`; of the request
  /// nothing is said, for it may have credentials.
  public var description: String {
    "<CachedResponse: \(head.status)\(head.headers.masked) from \(url.masked), \(body.readableBytes) bytes>"
  }

  /// What debuggers show: no more than the description says.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
