import HTTPTypes
import MartletCore

/// The directives of a message's `Cache-Control` (RFC 9111 §5.2, RFC 5861, RFC 8246).
///
/// Unknown directives are ignored (§5.2.3). If a directive with seconds occurs several times, the first one is used
/// (§4.2.1).
struct CacheControl: Hashable, Sendable {
  /// Directives without an argument, or whose argument does not matter.
  struct Flags: OptionSet, Hashable, Sendable {
    let rawValue: UInt16

    static let noCache = Flags(rawValue: 1 << 0)
    static let noStore = Flags(rawValue: 1 << 1)
    static let mustRevalidate = Flags(rawValue: 1 << 2)
    static let proxyRevalidate = Flags(rawValue: 1 << 3)
    static let mustUnderstand = Flags(rawValue: 1 << 4)
    static let `public` = Flags(rawValue: 1 << 5)
    static let `private` = Flags(rawValue: 1 << 6)
    static let immutable = Flags(rawValue: 1 << 7)
    static let onlyIfCached = Flags(rawValue: 1 << 8)

    fileprivate static let byName: [String: Flags] = [
      "no-cache": .noCache, "no-store": .noStore, "must-revalidate": .mustRevalidate,
      "proxy-revalidate": .proxyRevalidate, "must-understand": .mustUnderstand, "public": .public,
      "private": .private, "immutable": .immutable, "only-if-cached": .onlyIfCached,
    ]
  }

  private(set) var flags: Flags = []
  private(set) var maxAge: Int64?
  private(set) var sharedMaxAge: Int64?
  /// The staleness that a request accepts; `.max` for `max-stale` without an argument.
  private(set) var maxStale: Int64?
  private(set) var minFresh: Int64?
  private(set) var staleWhileRevalidate: Int64?
  private(set) var staleIfError: Int64?
  /// The fields that may not be used again without revalidation: those of `no-cache="…"` (§5.2.2.4).
  private(set) var validatedFields: [String] = []
  /// The fields that are meant for one user: those of `private="…"` (§5.2.2.7).
  private(set) var privateFields: [String] = []
  /// Whether there is a directive at all.
  private(set) var isEmpty = true

  init() {}

  init(_ headers: HTTPFields) {
    guard headers.contains(.cacheControl) else { return }
    for value in headers[values: .cacheControl] { add(value) }
  }

  /// Adds the directives of one field.
  mutating func add(_ field: String) {
    var rest = FieldLexer(field)
    // A quote that is never closed does not hide the directives behind it.
    if rest.hasOpenQuote { rest = FieldLexer(field.filter { $0 != "\"" }) }
    while !rest.isAtEnd {
      var element = FieldLexer(rest.take(to: ","))
      element.skip(while: \.isBlank)
      let name = element.token()
      guard !name.isEmpty else { continue }
      isEmpty = false
      let hasArgument = element.skip("=")
      let argument = hasArgument ? element.quotedString() ?? element.token() : nil
      add(name.utf8.allSatisfy { $0.lowercased == $0 } ? name : name.asciiLowercased, argument)
    }
  }

  private mutating func add(_ name: String, _ argument: String?) {
    switch name {
    case "max-age": maxAge = maxAge ?? Self.seconds(argument)
    case "s-maxage": sharedMaxAge = sharedMaxAge ?? Self.seconds(argument)
    case "max-stale": maxStale = maxStale ?? (argument == nil ? .max : Self.seconds(argument))
    case "min-fresh": minFresh = minFresh ?? Self.seconds(argument)
    case "stale-while-revalidate":
      staleWhileRevalidate = staleWhileRevalidate ?? Self.seconds(argument)
    case "stale-if-error": staleIfError = staleIfError ?? Self.seconds(argument)
    case "no-cache" where argument?.isEmpty == false:
      let names = argument?.fieldElements() ?? []
      validatedFields += names
      // Without such a field the response would be another one, so that all of it is validated (§5.2.2.4).
      if names.contains(where: { HTTPField.Name($0)?.isNeededByCaches == true }) {
        flags.insert(.noCache)
      }
    case "private" where argument?.isEmpty == false:
      privateFields += argument?.fieldElements() ?? []
    default: flags.formUnion(Flags.byName[name] ?? [])
    }
  }

  /// Returns the seconds of an argument.
  ///
  /// An invalid number becomes zero, so that an invalid `max-age` makes the response stale (§4.2.1). A number above 2³¹
  /// becomes 2³¹ (§1.2.2).
  private static func seconds(_ argument: String?) -> Int64 {
    guard let argument, !argument.isEmpty, argument.utf8.allSatisfy(\.isDigit) else { return 0 }
    return min(Int64(argument) ?? .max, 1 << 31)
  }

  /// Whether there is a directive without an argument.
  func contains(_ flag: Flags) -> Bool { flags.contains(flag) }
}
