import HTTPTypes
import MartletCore

/// What the head of a response says about its use by a cache. It is parsed once, when the response is stored.
struct CacheMetadata: Hashable, Sendable {
  /// The directives of `Cache-Control`.
  private(set) var control = CacheControl()
  /// The seconds since 1970 in `Date`; `nil` without a valid one.
  private(set) var date: Int64?
  /// The seconds since 1970 in `Last-Modified`; `nil` without a valid one.
  private(set) var lastModified: Int64?
  /// The seconds since 1970 in `Expires`; the distant past for an invalid date (RFC 9111 §5.3), and `nil` without the
  /// field.
  private(set) var expires: Int64?
  /// The seconds in `Age`; 0 without a valid one (§5.1).
  private(set) var age: Int64 = 0
  /// The entity tag.
  private(set) var entityTag: EntityTag?

  init(_ head: ResponseHead) {
    var firstAge: Int64?
    for field in head.headers {
      // Few names have the same length, which is cheap to compare.
      switch field.name.rawName.utf8.count {
      case 3 where field.name == .age: firstAge = firstAge ?? Self.age(field.value)
      case 4 where field.name == .date: date = date ?? HTTPDate.seconds(of: field.value)
      case 4 where field.name == .eTag: entityTag = entityTag ?? EntityTag(field)
      case 7 where field.name == .expires:
        expires = expires ?? HTTPDate.seconds(of: field.value) ?? -(1 << 62)
      case 13 where field.name == .cacheControl: control.add(field.value)
      case 13 where field.name == .lastModified:
        lastModified = lastModified ?? HTTPDate.seconds(of: field.value)
      default: break
      }
    }
    age = firstAge ?? 0
  }

  /// Returns the seconds of the first member; 0 if that is not a number.
  private static func age(_ field: String) -> Int64 {
    guard let first = field.fieldElements().first, first.utf8.allSatisfy(\.isDigit) else {
      return 0
    }
    return min(Int64(first) ?? .max, 1 << 31)
  }

  /// Whether the server can tell whether a stored response is still valid (§4.3.1).
  var hasValidator: Bool { entityTag != nil || lastModified != nil }

  /// Whether the server says how long the response stays fresh (§4.2.1).
  func isExplicit(in mode: CacheOptions.Mode) -> Bool {
    control.maxAge != nil || expires != nil || mode == .shared && control.sharedMaxAge != nil
  }
}
