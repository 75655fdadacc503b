public import EssentialFoundation
public import HTTPTypes
public import MartletCore
import NIOCore

/// A stored response, with the data that decides whether it may answer another request.
///
/// Its ``record`` is everything but the body, and has a form as bytes: ``Record/serialized``. The properties of the record
/// are also available directly: `cached.head`.
@dynamicMemberLookup
public struct CachedResponse: Sendable {
  /// Everything except the body.
  public var record: Record
  /// The body as it was received, with its content coding: in memory, in a file, or as a stream that is opened when it
  /// is read.
  public var body: ResponseBody

  /// The data of a stored response, without its body.
  public struct Record: Hashable, Sendable {
    private var shared: Shared<RecordValues>

    /// A random number, which is different for each response that is stored.
    public var id: UInt64 { shared.value.id }
    /// Status and header fields. A part of a body has the head of the whole.
    public var head: ResponseHead {
      get { shared.value.head }
      set { change { $0.head = newValue } }
    }
    /// The URL of the response, without user information.
    public var url: URL {
      get { URL(string: urlText) ?? URL(fileURLWithPath: "/") }
      set { change { $0.urlText = newValue.absoluteString.withoutUserInfo } }
    }
    /// When the request was sent.
    public var requestTime: Date {
      get { shared.value.requestTime }
      set { change { $0.requestTime = newValue } }
    }
    /// When the head of the response had arrived.
    public var responseTime: Date {
      get { shared.value.responseTime }
      set { change { $0.responseTime = newValue } }
    }
    /// The request fields on which the response depends, by the names in its `Vary`: no value for an absent field, and
    /// the elements of `Accept`, `Accept-Encoding` and `Accept-Language`. Values that may be secrets are replaced by a
    /// digest: those of all fields but these, `Origin` and `User-Agent`.
    public var varyHeaders: [HTTPField.Name: [String]] {
      get { shared.value.varyHeaders }
      set { change { $0.varyHeaders = newValue } }
    }
    /// The bytes of the body that are stored; `nil` if it is the whole body.
    public var part: Part? {
      get { shared.value.part }
      set { change { $0.part = newValue } }
    }
    /// The URL as text, because few readers need the URL.
    var urlText: String { shared.value.urlText }
    /// What the head says about caching.
    var metadata: CacheMetadata { shared.value.metadata }

    /// The stored part of a body.
    public struct Part: Hashable, Sendable {
      /// The offsets of the stored bytes.
      public var bytes: Range<Int64>
      /// The length of the whole body; `nil` if it is not known.
      public var total: Int64?

      /// A part of a body.
      public init(bytes: Range<Int64>, total: Int64?) {
        self.bytes = bytes
        self.total = total
      }
    }

    /// A record from its parts.
    public init(
      head: ResponseHead, url: URL, requestTime: Date, responseTime: Date,
      varyHeaders: [HTTPField.Name: [String]] = [:], part: Part? = nil
    ) {
      self.init(
        RecordValues(
          head: head, urlText: url.absoluteString.withoutUserInfo, requestTime: requestTime,
          responseTime: responseTime, varyHeaders: varyHeaders, part: part,
          metadata: CacheMetadata(head)))
    }

    init(_ values: RecordValues) {
      shared = Shared(values)
    }

    /// A text that is equal for responses with equal ``varyHeaders``: empty without any, else a digest of them. In a cache,
    /// a response replaces the one with the same key and variant.
    public var variant: String {
      guard !varyHeaders.isEmpty else { return "" }
      let names = varyHeaders.keys.sorted { $0.canonicalName < $1.canonicalName }
      return CacheKey.digest(
        of: names.flatMap { name in
          [HTTPField(name: name, value: "")]
            + (varyHeaders[name] ?? []).map { HTTPField(name: name, value: $0) }
        })
    }

    /// The same for a new body.
    var renewed: Self {
      var record = self
      record.change { $0.id = .random(in: 0 ... .max) }
      return record
    }

    private mutating func change(_ change: (inout RecordValues) -> Void) {
      var values = shared.value
      change(&values)
      shared = Shared(values)
    }

    /// Whether all properties are equal.
    public static func == (record: Self, other: Self) -> Bool {
      record.shared === other.shared || record.shared.value == other.shared.value
    }

    /// Hashes the identifier.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(id)
    }
  }

  /// A response that was stored.
  public init(_ record: Record, body: ResponseBody) {
    self.record = record
    self.body = body
  }

  /// Accesses the properties of the record.
  public subscript<Value>(dynamicMember part: WritableKeyPath<Record, Value>) -> Value {
    get { record[keyPath: part] }
    set { record[keyPath: part] = newValue }
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
