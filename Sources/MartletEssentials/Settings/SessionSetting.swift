import EssentialFoundation
import MartletTransport

/// A setting of ``SessionConfiguration`` that can be written as text.
///
/// Such settings are read from the environment or another source, and an archive of a session contains them.
struct SessionSetting: Sendable {
  /// The name, such as `timeouts.connect`. It is the path of a property in ``SessionConfiguration``.
  let name: String
  /// What its text must be, as the end of a sentence.
  let form: String
  /// Returns the text of the setting; `nil` if its value has none.
  let text: @Sendable (SessionConfiguration) -> String?
  /// Sets the setting, and returns whether the text has the right form.
  let set: @Sendable (inout SessionConfiguration, String) -> Bool

  init<Value: SettingValue & SendableMetatype>(
    _ name: String, _ path: any WritableKeyPath<SessionConfiguration, Value> & Sendable
  ) {
    self.name = name
    form = Value.settingForm
    text = { $0[keyPath: path].settingText }
    set = { configuration, text in
      guard let value = Value(settingText: text) else { return false }
      configuration[keyPath: path] = value
      return true
    }
  }

  /// All settings. Those of a part follow the setting that switches the part on.
  static let all = [
    SessionSetting("timeouts.connect", \.timeouts.connect),
    SessionSetting("timeouts.tls", \.timeouts.tls),
    SessionSetting("timeouts.firstByte", \.timeouts.firstByte),
    SessionSetting("timeouts.idle", \.timeouts.idle),
    SessionSetting("timeouts.total", \.timeouts.total),
    SessionSetting("connections.maximumPerOrigin", \.connections.maximumPerOrigin),
    SessionSetting("connections.maximumTotal", \.connections.maximumTotal),
    SessionSetting("connections.keepAliveDuration", \.connections.keepAliveDuration),
    SessionSetting("connections.maximumAge", \.connections.maximumAge),
    SessionSetting("limits.responseHeadSize", \.limits.responseHeadSize),
    SessionSetting("limits.discardedBodySize", \.limits.discardedBodySize),
    SessionSetting("redirectPolicy.isEnabled", \.redirectPolicy.isEnabled),
    SessionSetting("redirectPolicy.limit", \.redirectPolicy.limit),
    SessionSetting("redirectPolicy.allowsInsecure", \.redirectPolicy.allowsInsecure),
    SessionSetting("decompressionLimits.isEnabled", \.isDecompressing),
    SessionSetting("decompressionLimits.size", \.setDecompressionLimits.size),
    SessionSetting("decompressionLimits.ratio", \.setDecompressionLimits.ratio),
    SessionSetting("decompressionLimits.ratioExemptSize", \.setDecompressionLimits.ratioExemptSize),
    SessionSetting("decompressionLimits.codings", \.setDecompressionLimits.codings),
    SessionSetting("expectContinueThreshold", \.expectContinueThreshold),
    SessionSetting("cookieJar.isEnabled", \.isStoringCookies),
    SessionSetting("addressPolicy", \.addressPolicy),
    SessionSetting("proxies", \.proxies),
    SessionSetting("versions", \.versions),
    SessionSetting("http2.initialStreamWindowSize", \.http2.initialStreamWindowSize),
    SessionSetting("http2.maximumStreamWindowSize", \.http2.maximumStreamWindowSize),
    SessionSetting("http2.connectionWindowSize", \.http2.connectionWindowSize),
    SessionSetting("http2.pingInterval", \.http2.pingInterval),
    SessionSetting("http2.pingTimeout", \.http2.pingTimeout),
    SessionSetting("http2.idlePingInterval", \.http2.idlePingInterval),
    SessionSetting("eventLoopCount", \.eventLoopCount),
    SessionSetting("tls.roots", \.tls.roots),
    SessionSetting("tls.minimumVersion", \.tls.minimumVersion),
    SessionSetting("tls.maximumVersion", \.tls.maximumVersion),
  ]

  /// The settings by name.
  static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
}

/// Parts of the configuration that are `nil` when they are switched off.
extension SessionConfiguration {
  fileprivate var isDecompressing: Bool {
    get { decompressionLimits != nil }
    set { if newValue != isDecompressing { decompressionLimits = newValue ? .init() : nil } }
  }

  fileprivate var setDecompressionLimits: DecompressionInterceptor.Limits {
    get { decompressionLimits ?? .init() }
    set { if isDecompressing { decompressionLimits = newValue } }
  }

  fileprivate var isStoringCookies: Bool {
    get { cookieJar != nil }
    set { if newValue != isStoringCookies { cookieJar = newValue ? CookieJar() : nil } }
  }
}
