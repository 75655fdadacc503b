import EssentialFoundation
import HTTPTypes
import MartletCore

/// A request that is sent to the server, and what its response means for the stored ones (RFC 9111 §4.3).
///
/// A reference, because it is passed through several asynchronous functions.
final class CacheForwarding: Sendable {
  let reason: CacheStatus.ForwardReason
  /// The stored responses that the server is asked about.
  let validated: Validated
  /// The stored beginning of the body, whose end is requested (§3.3).
  let prefix: CachedResponse?
  /// The stored response that may be used if the server fails.
  let fallback: CachedResponse?
  /// All stored responses with the same key.
  let stored: [CachedResponse]

  /// Stored responses that the server is asked about.
  struct Validated: Sendable {
    /// Those that the request selects (§4.1).
    var selected: [CachedResponse] = []
    /// Other variants, which may be confirmed by a strong tag only.
    var others: [CachedResponse] = []

    var all: [CachedResponse] { selected + others }
  }

  init(
    _ reason: CacheStatus.ForwardReason, among stored: [CachedResponse] = [],
    validating validated: Validated = Validated(),
    completing prefix: CachedResponse? = nil, fallback: CachedResponse? = nil
  ) {
    self.reason = reason
    self.stored = stored
    self.validated = validated
    self.prefix = prefix
    self.fallback = fallback
  }

  /// The same without conditions: the request is sent as the caller made it.
  var unconditional: CacheForwarding {
    CacheForwarding(reason, among: stored, fallback: fallback)
  }

  /// Returns the request that is sent: with the conditions that let the server confirm a stored response (§4.3.1), or
  /// with the range that completes one.
  func request(_ request: Request) -> Request {
    var request = request
    request.options.cachePolicy?.addDirectives(to: &request.headers)
    if let prefix, let part = prefix.record.part, let tag = prefix.record.metadata.entityTag {
      request.headers[.range] = "bytes=\(part.bytes.upperBound)-"
      request.headers[fields: .ifRange] = [HTTPField(name: .ifRange, byteText: tag.text)]
    }
    let tags = validated.all.compactMap(\.record.metadata.entityTag?.text)
    if !tags.isEmpty {
      request.headers[fields: .ifNoneMatch] = [
        HTTPField(name: .ifNoneMatch, byteText: tags.joined(separator: ", "))
      ]
    }
    if validated.selected.count == 1,
      let date = validated.selected[0].record.head.headers[.lastModified]
    {
      request.headers[.ifModifiedSince] = date
    }
    return request
  }

  /// What the response to the sent request is.
  enum Outcome: Sendable {
    /// The stored response is still valid. Its record has the fields of the new head.
    case valid(CachedResponse)
    /// The missing end of a body, of which the beginning is stored, with the record of the whole body.
    case completed(CachedResponse, CachedResponse.Record)
    /// A response that answers the request as it is.
    case new
    /// Not an answer to the caller's request: the request is sent again as the caller made it.
    case unusable
    /// A failure of the server. A stale response may be used in its place.
    case failure
  }

  /// Returns what a response is.
  func outcome(
    _ head: ResponseHead, _ metadata: CacheMetadata, at time: Date, sent requestTime: Date
  ) -> Outcome {
    switch head.status.code {
    case 304 where !validated.all.isEmpty:
      guard let confirmed = confirmed(by: metadata) else { return .unusable }
      let freshened = confirmed.freshened(by: head, at: time, sent: requestTime)
      return freshened.map { .valid($0) } ?? .unusable
    case 206 where prefix != nil:
      return completion(head, metadata, at: time, sent: requestTime) ?? .unusable
    case 304 where prefix != nil: return .unusable
    // The server may refuse what the cache has added: the range, or conditions that are too long.
    case 400, 412, 413, 416, 431:
      return prefix == nil && validated.all.isEmpty ? .new : .unusable
    case 500, 502, 503, 504: return fallback == nil ? .new : .failure
    default: return .new
    }
  }

  /// Returns the stored part of a body of which a new response is another part (§3.4).
  func part(beside new: CachedResponse.Record) -> CachedResponse? {
    guard new.part != nil, let old = response(replacedBy: new), old.record.part != nil,
      new.hasSameBody(as: old.record)
    else { return nil }
    return old
  }

  /// Returns what is stored of a new response: a part is combined with a stored one. It is `nil` if the part belongs to a
  /// body that is stored as a whole.
  func stored(_ new: CachedResponse.Record, beside part: CachedResponse?) -> CombinedPart? {
    let old = response(replacedBy: new)?.record
    guard new.part != nil, let old else { return CombinedPart(new, inPlaceOf: old) }
    guard old.part != nil || !new.hasSameBody(as: old) else { return nil }
    return part.flatMap { CombinedPart(new, with: $0) } ?? CombinedPart(new)
  }

  /// Returns the stored response in whose place a new one is stored.
  private func response(replacedBy new: CachedResponse.Record) -> CachedResponse? {
    stored.first { $0.record.varyHeaders == new.varyHeaders }
  }

  /// Returns the stored response that a 304 confirms (§4.3.4).
  private func confirmed(by metadata: CacheMetadata) -> CachedResponse? {
    let selected = validated.selected
    if selected.count == 1, validated.others.isEmpty, !metadata.hasValidator { return selected[0] }
    if let tag = metadata.entityTag {
      let same = validated.all.filter { $0.record.metadata.entityTag?.matchesStrongly(tag) == true }
      if let newest = same.newest { return newest }
      // nginx has a weak tag for a compressed body, and confirms it with the strong tag of the file. That is taken for a
      // match, too, because the condition was a weak one (RFC 9110 §13.1.2).
      let similar = selected.filter { $0.record.metadata.entityTag?.matchesWeakly(tag) == true }
      if let newest = similar.newest { return newest }
    }
    guard let modified = metadata.lastModified else { return nil }
    // Apache may confirm a compressed body that has no tag with the tag of the file.
    return selected.filter { stored in
      stored.record.metadata.lastModified == modified
        && (metadata.entityTag == nil || stored.record.metadata.entityTag == nil)
    }.newest
  }

  /// Returns the other stored responses that a 304 confirms, because they have its strong tag (§4.3.4).
  ///
  /// - Parameters:
  ///   - stored: The response that is used, with the fields of the 304.
  ///   - head: The head of the 304.
  ///   - metadata: The same head.
  /// - Returns: The other responses, with the fields of the 304.
  func confirmed(with stored: CachedResponse, by head: ResponseHead, _ metadata: CacheMetadata)
    -> [CachedResponse]
  {
    guard let tag = metadata.entityTag else { return [] }
    return self.stored.compactMap { other in
      guard other.record.id != stored.record.id,
        other.record.metadata.entityTag?.matchesStrongly(tag) == true
      else { return nil }
      return other.freshened(
        by: head, at: stored.record.responseTime, sent: stored.record.requestTime)
    }
  }

  /// Returns the stored responses that a newer head describes, with its fields: all that a HEAD request could have
  /// selected (§4.3.5), and one that a 304 to a condition of the caller confirms (§4.3.2).
  func stored(
    matching head: ResponseHead, _ metadata: CacheMetadata, to request: Request, at time: Date,
    sent requestTime: Date
  ) -> [CachedResponse] {
    let matching = stored.filter { other in
      let own = other.record.metadata
      guard other.record.matches(request) else { return false }
      if request.method == .head { return other.record.isDescribed(by: head, metadata) }
      if let tag = metadata.entityTag {
        return own.entityTag.map { $0 == tag } ?? false
      }
      return metadata.lastModified != nil && own.lastModified == metadata.lastModified
    }
    return matching.prefix(request.method == .head ? .max : 1)
      .compactMap { $0.freshened(by: head, at: time, sent: requestTime) }
  }

  /// Returns the stored responses for a request in whose place a new one would be, if it could be stored. They are
  /// outdated then. An error of the server, and one that may pass, leaves them valid.
  func stored(outdatedBy status: HTTPResponse.Status, to request: Request)
    -> [CachedResponse.Record]
  {
    switch status.code {
    case 206: []
    case 200..<300, 403, 404, 410: stored.map(\.record).filter { $0.matches(request) }
    default: []
    }
  }

  /// Returns the stored responses for a request that the response to HEAD shows to be outdated (§4.3.5).
  func stored(
    contradicting head: ResponseHead, _ metadata: CacheMetadata, to request: Request
  ) -> [CachedResponse.Record] {
    stored.map(\.record).filter { $0.matches(request) && $0.isContradicted(by: head, metadata) }
  }

  /// Returns the stored responses for a request that a new one takes the place of, although it depends on other fields
  /// of the request. Otherwise the older one could stay the preferred one (§4.1).
  func stored(supersededBy new: CachedResponse.Record, to request: Request)
    -> [CachedResponse.Record]
  {
    guard new.part == nil, !stored.isEmpty else { return [] }
    return stored.map(\.record).filter {
      $0.matches(request) && $0.varyHeaders != new.varyHeaders
    }
  }

  private func completion(
    _ head: ResponseHead, _ metadata: CacheMetadata, at time: Date, sent requestTime: Date
  ) -> Outcome? {
    guard let prefix, let part = prefix.record.part, let range = ContentRange(head),
      let bytes = range.bytes, bytes.lowerBound == part.bytes.upperBound,
      let total = range.total, bytes.upperBound == total, part.total ?? total == total,
      let tag = prefix.record.metadata.entityTag,
      // §3.4: parts are combined only if they have the same strong validator. `If-Range` was the condition.
      metadata.entityTag?.matchesStrongly(tag) == true,
      head.headers[.contentEncoding] == prefix.record.head.headers[.contentEncoding],
      head.announcedLength ?? Int64(bytes.count) == Int64(bytes.count),
      var record = prefix.freshened(by: head, at: time, sent: requestTime)?.record.renewed
    else { return nil }
    record.part = nil
    record.head.headers[.contentLength] = "\(total)"
    return .completed(prefix, record)
  }
}

extension [CachedResponse] {
  /// The most recent one (§4).
  var newest: CachedResponse? { self.max { $0.record.isOlder(than: $1.record) } }
}

extension CachedResponse {
  /// The most fields of a stored response.
  private static let mostFields = 4096

  /// Returns the response with the fields of a newer head (§3.2); `nil` if the newer head has another `Vary`, or both
  /// together have too many fields.
  func freshened(by head: ResponseHead, at time: Date, sent requestTime: Date) -> CachedResponse? {
    let (old, new) = (record.head.headers, head.headers.storable)
    guard !new.contains(.vary) || new[values: .vary] == old[values: .vary] else { return nil }
    // The age of the stored response says nothing about the newer one.
    let updates = new.filter { !$0.name.describesStoredBody }
    let replaced = Set(updates.map(\.name)).union([.age, .date])
    let fields = old.filter { !replaced.contains($0.name) } + updates
    guard fields.count <= Self.mostFields else { return nil }
    var response = self
    // The stored response may name fields that are not stored.
    response.record.head.headers = fields.storable
    response.record.requestTime = requestTime
    response.record.responseTime = time
    return response
  }
}

extension HTTPField.Name {
  /// Whether the field describes the body as it is stored, so that a newer head does not change it.
  fileprivate var describesStoredBody: Bool {
    switch self {
    case .contentLength, .contentEncoding, .contentRange, .eTag: true
    default: false
    }
  }
}

extension CachedResponse.Record {
  /// Whether the response to a HEAD request shows that the body is still the same: it has a validator, and all that it
  /// says about the body is right (§4.3.5).
  fileprivate func isDescribed(by head: ResponseHead, _ other: CacheMetadata) -> Bool {
    other.hasValidator && !isContradicted(by: head, other)
  }

  /// Whether the response to a HEAD request has another validator or another length.
  fileprivate func isContradicted(by head: ResponseHead, _ other: CacheMetadata) -> Bool {
    func differ<Value: Equatable>(_ new: Value?, _ stored: Value?) -> Bool {
      new.map { $0 != stored } ?? false
    }
    return differ(other.entityTag, metadata.entityTag)
      || differ(other.lastModified, metadata.lastModified)
      || differ(head.announcedLength, totalLength)
  }
}
