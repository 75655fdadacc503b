public import EssentialFoundation
public import HTTPTypes
public import MartletCore
import NIOCore

/// A response that is kept, with what tells whether another request may be answered with it.
///
/// Its ``record`` can be encoded, and its parts are reached without naming it: `cached.head`.
@dynamicMemberLookup
public struct CachedResponse: Sendable {
  /// All but the body.
  public var record: Record
  /// The body, decompressed: in memory, in a file, or as a stream that is opened when it is read.
  public var body: ResponseBody

  /// What is known of a kept response.
  public struct Record: Hashable, Codable, Sendable {
    /// Status and header fields.
    public var head: ResponseHead
    /// The URL that answered.
    public var url: URL
    /// When the request was sent.
    public var requestTime: Date
    /// When the response arrived.
    public var responseTime: Date
    /// The fields of the request that the response depends on, by the names in its `Vary`; of credentials a digest.
    public var varyHeaders: [HTTPField.Name: [String]]

    /// The names that stored records have.
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

  /// A response as a store has kept it.
  public init(_ record: Record, body: ResponseBody) {
    self.record = record
    self.body = body
  }

  /// A response that may be kept.
  init(_ response: Response, body: ResponseBody, to request: Request, requestTime: Date) {
    record = Record(
      head: response.head, url: response.url, requestTime: requestTime, responseTime: Date(),
      varyHeaders: Self.varyHeaders(response.head, request) ?? [:])
    self.body = body
  }

  /// Reaches the parts of the record.
  public subscript<Value>(dynamicMember part: WritableKeyPath<Record, Value>) -> Value {
    get { record[keyPath: part] }
    set { record[keyPath: part] = newValue }
  }

  /// Whether it answers the same requests as another: what one of them keeps takes the other's place.
  public func isSameVariant(as other: CachedResponse) -> Bool {
    record.varyHeaders == other.record.varyHeaders
  }

  /// The response as a request gets it.
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

  /// The values that a request has for the fields that a response depends on; `nil` when it depends on more
  /// than fields.
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
  /// The same body, that of a file as a stream: it may have to go elsewhere.
  fileprivate func rereadable(of call: Call?) -> ResponseBody {
    if let bytes { return ResponseBody(bytes: bytes, completion: Completion()) }
    guard let file else { return self }
    return ResponseBody(reading: file, of: call)
  }
}

extension CachedResponse: CustomStringConvertible, CustomReflectable {
  /// The response as text, such as `<CachedResponse: 200 OK from https://example.com/, 12 bytes>`; of the request
  /// nothing is said, for it may have credentials.
  public var description: String {
    let size = body.bytes.map { "\($0.readableBytes) bytes" } ?? "\(body.kind)"
    return
      "<CachedResponse: \(record.head.status)\(record.head.headers.masked) from \(record.url.masked), \(size)>"
  }

  /// What debuggers show: no more than the description says.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension CachedResponse.Record: CustomStringConvertible, CustomReflectable {
  /// The record as text; of the request nothing is said.
  public var description: String {
    "<CachedResponse.Record: \(head.status)\(head.headers.masked) from \(url.masked)>"
  }

  /// What debuggers show: no more than the description says.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
