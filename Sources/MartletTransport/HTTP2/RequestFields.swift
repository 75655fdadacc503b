import HTTPTypes
import MartletCore
import NIOHPACK

/// The header section of a request as HTTP/2 has it (RFC 9113 §8.3.1).
enum RequestFields {
  static func fields(of request: Request, origin: Origin, authority: String) -> HPACKHeaders {
    var fields = HPACKHeaders()
    fields.reserveCapacity(request.headers.count + 6)
    fields.add(name: ":method", value: request.method.rawValue)
    fields.add(name: ":scheme", value: origin.isSecure ? "https" : "http")
    fields.add(name: ":authority", value: host(of: request) ?? authority)
    fields.add(name: ":path", value: request.target)
    for field in request.headers where !isLeftOut(field) {
      fields.add(
        name: field.name.canonicalName, value: field.value, indexing: indexing(of: field))
    }
    switch RequestHeadEncoder.framing(of: request) {
    case .none, .chunked: break
    case .length(let length): fields.add(name: "content-length", value: String(length))
    }
    if request.expectsContinueForBody { fields.add(name: "expect", value: "100-continue") }
    if let urgency = urgency(of: request) { fields.add(name: "priority", value: urgency) }
    return fields
  }

  private static func host(of request: Request) -> String? {
    request.headers.first { $0.name.canonicalName == "host" }?.value
  }

  /// §8.2.2 — what is said about a connection has no meaning here; what frames a body is the engine's.
  private static func isLeftOut(_ field: HTTPField) -> Bool {
    switch field.name.canonicalName {
    case "host", "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade",
      "content-length", "expect":
      true
    case "te": field.value != "trailers"
    default: false
    }
  }

  /// RFC 7541 §7.1.3 — what is secret, or too short to be safe from guessing, stays out of tables.
  private static func indexing(of field: HTTPField) -> HPACKIndexing {
    switch field.name.canonicalName {
    case "authorization", "proxy-authorization": .neverIndexed
    case "cookie" where field.value.utf8.count < 20: .neverIndexed
    default: .indexable
    }
  }

  /// RFC 9218 §4.1 — how urgent a request is; the usual urgency, 3, need not be said.
  private static func urgency(of request: Request) -> String? {
    guard let priority = request.exchange?.priority, priority != .medium,
      !request.headers.contains(where: { $0.name.canonicalName == "priority" })
    else { return nil }
    return priority == .high ? "u=1" : "u=5"
  }
}

extension Request {
  /// Whether the body waits for the server's leave (RFC 9110 §10.1.1).
  var expectsContinueForBody: Bool {
    options.expectsContinue && !body.isEmpty && body.length != 0
  }
}
