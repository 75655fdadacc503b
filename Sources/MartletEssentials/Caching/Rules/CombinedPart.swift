import HTTPTypes
import MartletCore

/// A part of a body that has arrived, combined with the stored one (RFC 9111 §3.4).
struct CombinedPart: Sendable {
  /// The record of both.
  private(set) var record: CachedResponse.Record
  /// The stored bytes before those that arrive.
  let before: ResponseBody?
  /// The stored bytes behind those that arrive.
  let after: ResponseBody?
  /// The stored beginning that is completed; `nil` if a part is stored as it is.
  private(set) var completed: CachedResponse.Record?
  /// How many bytes of the same body are stored already. A beginning that is shorter does not take their place.
  let storedCount: Int64

  /// The part alone, in place of a stored response.
  init(_ record: CachedResponse.Record, inPlaceOf old: CachedResponse.Record? = nil) {
    self.record = record.withoutWholePart
    (before, after) = (nil, nil)
    storedCount =
      old.map { record.hasSameBody(as: $0) ? $0.part.map { Int64($0.bytes.count) } ?? .max : 0 }
      ?? 0
  }

  /// A whole body of which the beginning is stored.
  init(_ record: CachedResponse.Record, completing beginning: CachedResponse.Record) {
    self.init(record, inPlaceOf: beginning)
    completed = beginning
  }

  /// Both parts; `nil` if they have no byte in common and do not touch, or may belong to different bodies.
  init?(_ new: CachedResponse.Record, with old: CachedResponse) {
    guard let arriving = new.part, let stored = old.record.part, new.hasSameBody(as: old.record),
      stored.bytes.lowerBound <= arriving.bytes.upperBound,
      arriving.bytes.lowerBound <= stored.bytes.upperBound,
      let updated = old.freshened(by: new.head, at: new.responseTime, sent: new.requestTime)
    else { return nil }
    let (first, last) = (stored.bytes.lowerBound, stored.bytes.upperBound)
    let leading = arriving.bytes.lowerBound - first
    let trailing = last - arriving.bytes.upperBound
    let total = arriving.total ?? stored.total
    var record = new
    record.head = updated.record.head
    record.head.headers[.contentLength] = total.map { "\($0)" }
    record.part = CachedResponse.Record.Part(
      bytes: min(first, arriving.bytes.lowerBound)..<max(last, arriving.bytes.upperBound),
      total: total)
    self.record = record.withoutWholePart
    storedCount = Int64(stored.bytes.count)
    before = leading > 0 ? old.body.slice(0, leading, of: nil) : nil
    after = trailing > 0 ? old.body.slice(last - trailing - first, trailing, of: nil) : nil
  }

  /// The same with the record that a cache stores.
  func storable(in mode: CacheOptions.Mode) -> Self {
    var part = self
    part.record = record.storable(in: mode)
    return part
  }
}

extension CachedResponse.Record {
  /// Whether both are parts of the same body: they have the same strong validator and the same length.
  func hasSameBody(as other: Self) -> Bool {
    guard let tag = metadata.entityTag, let otherTag = other.metadata.entityTag else {
      return false
    }
    let (total, otherTotal) = (totalLength, other.totalLength)
    return tag.matchesStrongly(otherTag)
      && head.headers[.contentEncoding] == other.head.headers[.contentEncoding]
      && (total ?? otherTotal) == (otherTotal ?? total)
  }

  /// The record, without a part if that is the whole body.
  fileprivate var withoutWholePart: Self {
    var record = self
    if let part, let total = part.total, part.bytes == 0..<total { record.part = nil }
    return record
  }

  /// The number of bytes that are stored, if it is known.
  var storedLength: Int64? { part.map { Int64($0.bytes.count) } ?? head.announcedLength }

  /// The length of the whole body, if it is known.
  var totalLength: Int64? { part.map(\.total) ?? head.announcedLength }
}
