import EssentialFoundation
import HTTPTypes
import MartletCore

/// The properties of a record, which its copies share.
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
}
