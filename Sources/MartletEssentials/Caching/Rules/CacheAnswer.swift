import EssentialFoundation
import HTTPTypes
import MartletCore

/// The answer to a request by a stored response.
struct CacheAnswer: Sendable {
  /// The form in which a stored response answers a request.
  enum Form: Hashable, Sendable {
    /// The whole response.
    case whole
    /// Its head, for HEAD.
    case head
    /// A part of its body (RFC 9110 §15.3.7), of this total length.
    case part(Range<Int64>, of: Int64?)
    /// No part: the range begins behind the end (RFC 9110 §15.5.17).
    case unsatisfiable(of: Int64)
    /// No body: the caller has the same (RFC 9111 §4.3.2).
    case notModified
  }

  var stored: CachedResponse
  let form: Form
  let freshness: Freshness
  /// The request that is sent in the background, if the response is used while it is revalidated.
  var revalidation: CacheForwarding?

  init(_ stored: CachedResponse, _ form: Form, _ freshness: Freshness) {
    self.stored = stored
    self.form = form
    self.freshness = freshness
  }

  /// Returns the response.
  func response(to request: Request, _ status: CacheStatus) -> Response {
    var head = stored.record.head
    switch form {
    case .whole, .head: break
    case .notModified:
      head.status = .notModified
      head.headers[fields: .contentLength] = []
    case .part(let bytes, let total):
      head.status = .partialContent
      let length = total.map { "\($0)" } ?? "*"
      head.headers[.contentRange] = "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/\(length)"
      head.headers[.contentLength] = "\(bytes.count)"
    case .unsatisfiable(let length):
      head.status = .rangeNotSatisfiable
      head.headers[.contentRange] = "bytes */\(length)"
      head.headers[.contentLength] = "0"
    }
    head.headers[.age] = freshness.ageField
    var response = Response(
      head: head, to: request, body: body(of: request.call), metrics: ExchangeMetrics())
    status.add(to: &response, isFromCache: true)
    return response
  }

  private func body(of call: Call?) -> ResponseBody {
    switch form {
    case .whole: stored.body.rereadable(of: call)
    case .part(let bytes, _):
      stored.body.slice(
        bytes.lowerBound - (stored.record.part?.bytes.lowerBound ?? 0), Int64(bytes.count),
        of: call)
    case .head, .unsatisfiable, .notModified: .empty
    }
  }
}

extension CacheAnswer.Form {
  /// The form in which a response answers a request; `nil` if it has too few of the bytes.
  init?(_ stored: CachedResponse.Record, for lookup: CacheLookup) {
    let headers = lookup.request.headers
    if lookup.isConditional, stored.head.status == .ok, stored.isNotModified(for: headers) {
      self = .notModified
    } else if lookup.request.method == .head {
      self = .head
    } else if let range = lookup.range, stored.head.status == .ok, stored.allowsRange(headers) {
      // Without `Accept-Encoding`, the caller cannot decode a part of a compressed body.
      guard !stored.head.isEncoded || headers.contains(.acceptEncoding) else { return nil }
      guard let length = stored.totalLength else {
        guard case .between(let first, let last) = range, let part = stored.part,
          part.bytes.lowerBound <= first, last < part.bytes.upperBound
        else { return nil }
        self = .part(first..<last + 1, of: nil)
        return
      }
      let bytes = range.bytes(of: length)
      guard !bytes.isEmpty else {
        self = .unsatisfiable(of: length)
        return
      }
      guard stored.part.map({ $0.bytes.contains(bytes) }) ?? true else { return nil }
      self = .part(bytes, of: length)
    } else {
      guard stored.part == nil else { return nil }
      self = .whole
    }
  }
}

extension CachedResponse.Record {
  /// Whether `If-Range` allows a part, or is missing (RFC 9110 §13.1.5).
  fileprivate func allowsRange(_ headers: HTTPFields) -> Bool {
    guard let condition = headers[fields: .ifRange].first else { return true }
    if let tag = metadata.entityTag, let wanted = EntityTag(condition), wanted.isStrong {
      return tag.matchesStrongly(wanted)
    }
    guard let date = HTTPDate.seconds(of: condition.value), let sent = metadata.date else {
      return false
    }
    return date == metadata.lastModified && date < sent
  }

  /// Whether the caller's condition says that it has the same response (RFC 9111 §4.3.2).
  fileprivate func isNotModified(for headers: HTTPFields) -> Bool {
    let wanted = headers[fields: .ifNoneMatch]
    if !wanted.isEmpty {
      guard !wanted.contains(where: { $0.value.fieldElements().contains("*") }) else { return true }
      guard let own = metadata.entityTag else { return false }
      return EntityTag.all(in: wanted).contains { $0.matchesWeakly(own) }
    }
    guard let since = headers[.ifModifiedSince].flatMap(HTTPDate.seconds) else { return false }
    return metadata.lastModified.map(TimeInterval.init) ?? generationTime <= TimeInterval(since)
  }
}

extension Range<Int64> {
  fileprivate func contains(_ other: Range<Int64>) -> Bool {
    lowerBound <= other.lowerBound && other.upperBound <= upperBound
  }
}

extension CacheStatus {
  /// Adds the status to a response, as a value and as the last member of the `Cache-Status` field (RFC 9211 §2).
  func add(to response: inout Response, isFromCache: Bool = false) {
    response.set(cacheStatus: self, isFromCache: isFromCache)
    response.head.headers.append(HTTPField(name: .cacheStatus, value: description))
  }
}

extension HTTPField.Name {
  /// RFC 9211.
  static let cacheStatus = HTTPField.Name("Cache-Status") ?? .cacheControl
}
