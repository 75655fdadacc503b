import EssentialFoundation
import HTTPTypes
import MartletCore

/// The properties of a record.
struct RecordValues: Hashable, Sendable {
  var id = UInt64.random(in: 0 ... .max)
  var head: ResponseHead { didSet { metadata = CacheMetadata(head) } }
  var urlText: String
  var requestTime: Date
  var responseTime: Date
  var varyHeaders: [HTTPField.Name: [String]]
  var part: CachedResponse.Record.Part?
  /// What the head says. It is parsed once, when the head is set.
  private(set) var metadata: CacheMetadata

  init(
    id: UInt64 = .random(in: 0 ... .max), head: ResponseHead, urlText: String, requestTime: Date,
    responseTime: Date, varyHeaders: [HTTPField.Name: [String]],
    part: CachedResponse.Record.Part?, metadata: CacheMetadata
  ) {
    self.id = id
    self.head = head
    self.urlText = urlText
    self.requestTime = requestTime
    self.responseTime = responseTime
    self.varyHeaders = varyHeaders
    self.part = part
    self.metadata = metadata
  }
}

/// The storage of a record. A record is copied often and changed rarely, and copying one reference is cheaper than
/// copying many.
final class RecordStorage: Sendable {
  let values: RecordValues

  init(_ values: RecordValues) {
    self.values = values
  }
}
