import EssentialFoundation
import HTTPTypes
import MartletCore

/// How much of a body has been received, and of which state of the resource.
struct BodyPosition: Equatable {
  /// The number of bytes that have been received.
  var received: Int64
  /// The total number of bytes, if it is known.
  var length: Int64?
  /// The path of the URL that the body came from, if it is known. A validator is valid for one resource only (RFC 9110
  /// §8.8), whose host and query may change: mirrors, signed links.
  var path: String?
  /// The strong entity tag of the response (RFC 9110 §8.8.3), if it had one.
  var entityTag: String?
  /// The `Last-Modified` of the response, if it is a strong validator (RFC 9110 §8.8.2.2).
  var lastModified: String?

  /// Where resume data ends.
  init(_ data: ResumeData) {
    received = data.received
    length = data.length
    path = data.path
    entityTag = data.entityTag
    lastModified = data.lastModified
  }

  /// The beginning of the body of a response.
  init(_ request: Request, _ head: ResponseHead, from url: URL) {
    received = 0
    path = url.path(percentEncoded: true)
    length = head.announcedLength
    guard request.method == .get, head.mayBeResumed else { return }
    entityTag = head.headers[.eTag].flatMap { $0.hasPrefix("\"") ? $0 : nil }
    lastModified = head.strongDate
  }

  /// The validator that shows whether the resource has changed. Without it, the body cannot be continued.
  var validator: String? { entityTag ?? lastModified }

  /// Adds the fields that request the missing bytes, or the whole body if the resource has changed (RFC 9110 §13.1.5).
  ///
  /// - Throws: `MartletError` with code `.invalidHeader` for a validator that no server can have sent.
  func addRangeFields(to request: inout Request) throws(MartletError) {
    guard let validator else { return }
    // A part of a compressed body cannot continue a body that is not compressed.
    if !request.headers.contains(.acceptEncoding) { request.headers[.acceptEncoding] = "identity" }
    request.headers[.range] = "bytes=\(received)-"
    try request.headers.set(name: "If-Range", value: validator)
  }
}

extension ResponseHead {
  /// Whether the body can be resumed. A compressed body cannot, because the reader has received other bytes.
  fileprivate var mayBeResumed: Bool {
    status == .ok && !isEncoded && headers[.acceptRanges]?.lowercased() != "none"
  }

  /// `Last-Modified`, if it is a strong validator: the body cannot have changed again within the same second (RFC 9110
  /// §8.8.2.2).
  fileprivate var strongDate: String? {
    guard let text = headers[.lastModified], let modified = HTTPDate.seconds(of: text),
      let sent = headers[.date].flatMap(HTTPDate.seconds), modified < sent
    else { return nil }
    return text
  }
}
