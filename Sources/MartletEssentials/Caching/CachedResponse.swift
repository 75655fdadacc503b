public import EssentialFoundation
public import HTTPTypes
public import MartletCore
import NIOCore

/// A stored response, with the data that decides whether it may answer another request.
///
/// Its ``record`` can be encoded. The properties of the record are also available directly: `cached.head`.
@dynamicMemberLookup
public struct CachedResponse: Sendable {
  /// Everything except the body.
  public var record: Record
  /// The body, decompressed: in memory, in a file, or as a stream that is opened when it is read.
  public var body: ResponseBody

  /// The data of a stored response, without its body.
  public struct Record: Hashable, Codable, Sendable {
    /// Status and header fields.
    public var head: ResponseHead
    /// The URL of the response.
    public var url: URL
    /// When the request was sent.
    public var requestTime: Date
    /// When the response had arrived, including its body.
    public var responseTime: Date
    /// The request fields on which the response depends, by the names in its `Vary`. Credentials are replaced by a
    /// digest.
    public var varyHeaders: [HTTPField.Name: [String]]

    /// The keys in stored records.
    private enum CodingKeys: String, CodingKey {
      case head, url, requestTime, responseTime
      case varyHeaders = "varying"
    }

    /// A record from its parts.
    public init(
      head: ResponseHead, url: URL, requestTime: Date, responseTime: Date,
      varyHeaders: [HTTPField.Name: [String]] = [:]
    ) {
      self.head = head
      self.url = url
      self.requestTime = requestTime
      self.responseTime = responseTime
      self.varyHeaders = varyHeaders
    }
  }

  /// A response that was stored.
  public init(_ record: Record, body: ResponseBody) {
    self.record = record
    self.body = body
  }

  /// A response that may be stored.
  init(_ response: Response, body: ResponseBody, to request: Request, requestTime: Date) {
    record = Record(
      head: response.head, url: response.url, requestTime: requestTime, responseTime: Date(),
      varyHeaders: Self.varyHeaders(response.head, request) ?? [:])
    self.body = body
  }

  /// Accesses the properties of the record.
  public subscript<Value>(dynamicMember part: WritableKeyPath<Record, Value>) -> Value {
    get { record[keyPath: part] }
    set { record[keyPath: part] = newValue }
  }

  /// Whether it answers the same requests as another response with the same key. Then the later response replaces the
  /// earlier one in a cache.
  public func isSameVariant(as other: CachedResponse) -> Bool {
    record.varyHeaders == other.record.varyHeaders
  }

  /// Returns the response for a request.
  func response(to request: Request) -> Response {
    var response = Response(
      head: record.head, url: record.url, body: body.rereadable(of: request.call))
    response.isFromCache = true
    return response
  }

  /// Whether a request asks for the same representation (RFC 9111 §4.1).
  func matches(_ request: Request) -> Bool {
    record.varyHeaders.allSatisfy { request.headers.values(varying: $0.key) == $0.value }
  }

  /// Returns the values of the request fields on which a response depends; `nil` for `Vary: *`, by which it depends on
  /// more than fields, and for an invalid `Vary`.
  static func varyHeaders(_ head: ResponseHead, _ request: Request) -> [HTTPField.Name: [String]]? {
    var varying: [HTTPField.Name: [String]] = [:]
    for name in head.headers[values: .vary].flatMap({ $0.split(separator: ",") }) {
      guard let name = HTTPField.Name(name.trimmingBlanks),
        name.rawName != "*"
      else { return nil }
      varying[name] = request.headers.values(varying: name)
    }
    return varying
  }
}

extension HTTPFields {
  fileprivate func values(varying name: HTTPField.Name) -> [String] {
    self[fields: name].map { $0.isCredential ? CacheKey.digest(of: [$0]) : $0.value }
  }
}

extension ResponseBody {
  /// Returns the same body. The body in a file becomes a stream, because it may have to be delivered elsewhere.
  fileprivate func rereadable(of call: Call?) -> ResponseBody {
    if let bytes { return ResponseBody(bytes: bytes, completion: Completion()) }
    guard let file else { return self }
    return ResponseBody(reading: file, of: call)
  }
}

extension CachedResponse: CustomStringConvertible, CustomReflectable {
  /// The response as text, such as `<CachedResponse: 200 OK from https://example.com/, 12 bytes>`; it contains nothing
  /// from the request, which may have credentials.
  public var description: String {
    let size = body.bytes.map { "\($0.readableBytes) bytes" } ?? "\(body.kind)"
    return
      "<CachedResponse: \(record.head.status)\(record.head.headers.masked) from \(record.url.masked), \(size)>"
  }

  /// An empty mirror, so that debuggers show only the description.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension CachedResponse.Record: CustomStringConvertible, CustomReflectable {
  /// The record as text; it contains nothing from the request.
  public var description: String {
    "<CachedResponse.Record: \(head.status)\(head.headers.masked) from \(url.masked)>"
  }

  /// An empty mirror, so that debuggers show only the description.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
