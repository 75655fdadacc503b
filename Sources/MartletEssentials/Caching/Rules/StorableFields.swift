import HTTPTypes
import MartletCore

// The fields of a response that are stored (RFC 9111 §3.1).

extension CachedResponse.Record {
  /// The record as a cache stores it: one for several users does not store the fields that are meant for one user
  /// (§5.2.2.7).
  func storable(in mode: CacheOptions.Mode) -> Self {
    guard mode == .shared, !metadata.control.privateFields.isEmpty else { return self }
    let names = Set(metadata.control.privateFields.compactMap { HTTPField.Name($0) })
    var record = self
    record.head.headers = head.headers.filter { !names.contains($0.name) }
    return record
  }
}

extension HTTPFields {
  /// The fields without those that concern one connection, and those that may not be stored (RFC 9111 §3.1).
  var storable: HTTPFields {
    guard contains(where: \.mayBeUnstorable) else { return self }
    let control = CacheControl(self)
    let listed =
      self[values: .connection].flatMap { $0.fieldElements() } + control.validatedFields
    let names = Set(listed.compactMap { HTTPField.Name($0) }).union(Self.hopByHop)
    return filter { !names.contains($0.name) || $0.name.isNeededByCaches }
  }

  fileprivate static let hopByHop: Set<HTTPField.Name> = Set(
    [
      "Connection", "Proxy-Connection", "Keep-Alive", "Proxy-Authenticate",
      "Proxy-Authentication-Info", "Proxy-Authorization", "TE", "Transfer-Encoding", "Upgrade",
    ].compactMap { HTTPField.Name($0) })
}

extension HTTPField {
  /// Whether it may be a field that is not stored, or one that names such fields. It is quick for most fields.
  fileprivate var mayBeUnstorable: Bool {
    switch name.rawName.utf8.count {
    case 2, 7, 10, 16, 17, 18, 19, 25: HTTPFields.hopByHop.contains(name)
    case 13: name == .cacheControl && !CacheControl([.cacheControl: value]).validatedFields.isEmpty
    default: false
    }
  }
}

extension HTTPField.Name {
  private static let neededByCaches: Set<HTTPField.Name> = [
    .cacheControl, .expires, .date, .age, .eTag, .lastModified, .vary, .contentEncoding,
    .contentLength, .contentRange, .contentType, .location,
  ]

  /// Whether a stored response cannot be used without the field, or would be used in another way. `Connection` may not
  /// name it (RFC 9110 §7.6.1).
  var isNeededByCaches: Bool { Self.neededByCaches.contains(self) }
}
