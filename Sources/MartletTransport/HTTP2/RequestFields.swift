import HTTPTypes
import MartletCore
import NIOHPACK

/// The header section of an HTTP/2 request (RFC 9113 §8.3.1).
struct RequestFields {
  private(set) var section = HPACKHeaders()
  /// The size of the section in bytes, counted as in HTTP/1.1. The compressed size depends on the fields that were sent
  /// before.
  private(set) var size = 0

  init(_ request: Request, origin: Origin, authority: String) {
    section.reserveCapacity(request.ownHeaders.count + 7)
    add(":method", request.method.rawValue)
    add(":scheme", origin.isSecure ? "https" : "http")
    add(":authority", Self.host(of: request) ?? authority)
    add(":path", request.target)
    for field in request.ownHeaders { add(field) }
    if request.asksForCompression { add(.compressionRequest) }
    if case .length(let length) = RequestHeadEncoder.framing(of: request) {
      add("content-length", String(length))
    }
    if let names = request.trailerNames { add("trailer", names) }
    if request.expectsContinueForBody { add("expect", "100-continue") }
    if let urgency = Self.urgency(of: request) { add("priority", urgency) }
  }

  /// The section of the trailers (RFC 9113 §8.1).
  init(trailers: HTTPFields) {
    section.reserveCapacity(trailers.count)
    for field in trailers { add(field) }
  }

  private mutating func add(_ name: String, _ value: String, _ indexing: HPACKIndexing = .indexable)
  {
    // The encoder compares values as text. Different bytes may be equal text, unless they are ASCII.
    let indexing = indexing == .indexable && !value.isASCII ? .nonIndexable : indexing
    section.add(name: name, value: value, indexing: indexing)
    size += name.utf8.count + value.utf8.count + 4
  }

  private mutating func add(_ field: HTTPField) {
    let name = field.name.canonicalName
    switch FieldHandling(name, field) {
    case .plain: add(name, field.value)
    case .secret: add(name, field.value, .neverIndexed)
    case .omitted: break
    }
  }

  private static func host(of request: Request) -> String? {
    request.ownHeaders.first { $0.name.isHost }?.value
  }

  /// Returns the urgency of a request (RFC 9218 §4.1), or `nil` if the urgency is the default, 3, or the caller has set
  /// the `Priority` field.
  private static func urgency(of request: Request) -> String? {
    guard let priority = request.call?.priority, priority != .medium,
      !request.ownHeaders.contains(where: { $0.name.canonicalName == "priority" })
    else { return nil }
    return priority == .high ? "u=1" : "u=5"
  }
}

extension String {
  fileprivate var isASCII: Bool {
    utf8.withContiguousStorageIfAvailable { $0.reduce(0, |) < 0x80 }
      ?? utf8.allSatisfy { $0 < 0x80 }
  }
}

/// How a field of the caller is sent.
private enum FieldHandling {
  case plain
  /// RFC 7541 §7.1.3 — not stored in compression tables, because the field is secret by its name or the caller's
  /// choice, or because its value is short enough to be guessed.
  case secret
  /// RFC 9113 §8.2.2 — not sent. Fields about the connection are not allowed in HTTP/2. The engine itself writes the
  /// authority and the fields that frame the body. What is for a proxy stays out of connections to servers
  /// (RFC 9110 §11.7.2).
  case omitted

  /// Decides by the name of the field. The length is compared first, because that is cheaper.
  init(_ name: String, _ field: HTTPField) {
    let usual: FieldHandling = field.indexingStrategy == .disallow ? .secret : .plain
    switch name.utf8.count {
    case 2 where name == "te": self = field.value == "trailers" ? usual : .omitted
    case 4 where name == "host", 6 where name == "expect", 7 where name == "upgrade",
      10 where name == "connection" || name == "keep-alive", 14 where name == "content-length",
      16 where name == "proxy-connection", 17 where name == "transfer-encoding",
      19 where name == "proxy-authorization":
      self = .omitted
    case 6 where name == "cookie": self = field.value.utf8.count < 20 ? .secret : usual
    case 13 where name == "authorization": self = .secret
    default: self = usual
    }
  }
}
