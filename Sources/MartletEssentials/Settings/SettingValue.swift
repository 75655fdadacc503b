import EssentialFoundation
import MartletCore
import MartletTransport

/// A type of settings, with a text form.
protocol SettingValue {
  /// What the text must be, as the end of a sentence.
  static var settingForm: String { get }
  /// The text; `nil` for a value that has none.
  var settingText: String? { get }
  /// Reads a text; returns `nil` if it has another form.
  init?(settingText: String)
}

extension Bool: SettingValue {
  static var settingForm: String { "“true” or “false”" }
  var settingText: String? { description }

  init?(settingText text: String) {
    switch text.lowercased() {
    case "true", "yes", "1": self = true
    case "false", "no", "0": self = false
    default: return nil
    }
  }
}

extension Int: SettingValue {
  static var settingForm: String { "a whole number, not less than 0" }
  /// A negative number is written as 0: for every setting, both mean the same.
  var settingText: String? { Swift.max(self, 0).description }

  init?(settingText text: String) {
    guard let number = Int(text), number >= 0 else { return nil }
    self = number
  }
}

extension Int64: SettingValue {
  static var settingForm: String { Int.settingForm }
  var settingText: String? { Swift.max(self, 0).description }

  init?(settingText text: String) {
    guard let number = Int(settingText: text) else { return nil }
    self = Int64(number)
  }
}

extension Duration: SettingValue {
  static var settingForm: String { "a duration such as “5s”, “250ms” or “2m”" }
  /// The longest duration that is read or written, a hundred years, so that no sum of times overflows.
  private static let longest = Duration.seconds(100 * 365.25 * 24 * 60 * 60)

  /// A negative duration is written as 0, and one that is longer than the longest as the longest.
  var settingText: String? {
    let (seconds, attoseconds) = min(max(self, .zero), Self.longest).components
    guard attoseconds != 0 else { return "\(seconds)s" }
    // Whole nanoseconds are exact as text.
    return "\(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)ns"
  }

  init?(settingText text: String) {
    let units: [(String, Double)] = [
      ("ns", 1e-9), ("ms", 1e-3), ("s", 1), ("m", 60), ("h", 3600),
    ]
    guard let (unit, seconds) = units.first(where: { text.hasSuffix($0.0) }) else { return nil }
    let number = text.dropLast(unit.count)
    if unit == "ns" {
      guard let count = Int64(number), count >= 0 else { return nil }
      self = .nanoseconds(count)
      return
    }
    guard number.utf8.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: ".") }),
      let value = Double(number), value * seconds <= Self.longest / .seconds(1)
    else { return nil }
    self = .seconds(value * seconds)
  }
}

extension Optional: SettingValue where Wrapped: SettingValue {
  static var settingForm: String { Wrapped.settingForm + ", or “none”" }
  var settingText: String? { self == nil ? "none" : self?.settingText }

  init?(settingText text: String) {
    if text == "none" {
      self = Optional.none
      return
    }
    guard let value = Wrapped(settingText: text) else { return nil }
    self = Optional.some(value)
  }
}

extension HTTPTransportConfiguration.Versions: SettingValue {
  static var settingForm: String { "“automatic”, “http1” or “http2”" }

  var settingText: String? {
    switch self {
    case .automatic: "automatic"
    case .http1: "http1"
    case .http2: "http2"
    }
  }

  init?(settingText text: String) {
    switch text {
    case "automatic": self = .automatic
    case "http1": self = .http1
    case "http2": self = .http2
    default: return nil
    }
  }
}

extension TLSOptions.Version: SettingValue {
  static var settingForm: String { "“TLSv1.2” or “TLSv1.3”" }
  var settingText: String? { description }
  init?(settingText text: String) { try? self.init(text) }
}

extension TLSOptions.Roots: SettingValue {
  static var settingForm: String { "“system”, or the absolute path of a file of certificates" }

  var settingText: String? {
    switch self {
    case .system: "system"
    case .file(let url): url.path
    case .systemAnd, .certificates: nil
    }
  }

  init?(settingText text: String) {
    if text == "system" {
      self = .system
    } else {
      guard text.hasPrefix("/") else { return nil }
      self = .file(URL(fileURLWithPath: text))
    }
  }
}

extension AddressPolicy: SettingValue {
  static var settingForm: String { "“any” or “publicOnly”" }
  var settingText: String? { name }

  init?(settingText text: String) {
    guard let policy = [Self.any, .publicOnly].first(where: { $0.name == text }) else { return nil }
    self = policy
  }
}

extension ProxyConfiguration: SettingValue {
  static var settingForm: String { "“system”, “none”, or the URL of a proxy" }

  /// A proxy with a user or password has no text, so that no archive contains it.
  var settingText: String? {
    if self == .system { return "system" }
    if self == .none { return "none" }
    guard case .through(let proxy)? = rules.first?.routes.first, proxy.user == nil,
      proxy.password == nil, self == .through(proxy)
    else { return nil }
    return proxy.description
  }

  init?(settingText text: String) {
    switch text {
    case "system": self = .system
    case "none": self = .none
    default:
      guard let proxy = try? Proxy(text) else { return nil }
      self = .through(proxy)
    }
  }
}
