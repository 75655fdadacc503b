import EssentialFoundation
import MartletCore

/// An archive contains the settings that have a text form and differ from their defaults, and the security policy
/// (SES-S1). Keep it in a safe place: a base URL or a header field may contain secrets.
///
/// Closures, transports, interceptors, caches, cookies, credentials and client identities are not archived. A decoded
/// configuration lists those that were set in its ``missingSettings``.
extension SessionConfiguration: Codable {
  private enum Key: CodingKey {
    case settings, securityPolicy, missing
  }

  /// Decodes a configuration.
  ///
  /// - Throws: `DecodingError`; `MartletError` with code `.invalidSetting` for a setting that does not exist or whose
  ///   text has the wrong form; what the decoding of ``SecurityPolicy`` throws.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    self.init()
    let settings = try values.decode([String: String].self, forKey: .settings)
    if let name = settings.keys.sorted().first(where: { SessionSetting.byName[$0] == nil }) {
      throw MartletError.unknownSetting(name)
    }
    try read { settings[$0] }
    securityPolicy = try values.decode(SecurityPolicy.self, forKey: .securityPolicy)
    missingSettings = try values.decode([String].self, forKey: .missing)
  }

  /// Encodes the configuration.
  ///
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    let defaults = SessionConfiguration()
    var settings: [String: String] = [:]
    for setting in SessionSetting.all {
      let text = setting.text(self)
      if text != setting.text(defaults) { settings[setting.name] = text }
    }
    try values.encode(settings, forKey: .settings)
    try values.encode(securityPolicy, forKey: .securityPolicy)
    try values.encode(unarchivedSettings, forKey: .missing)
  }

  /// The settings that are set, but that an archive cannot contain, and those that an earlier archive did not contain.
  private var unarchivedSettings: [String] {
    let checks: [(String, Bool)] = [
      ("interceptors", !interceptors.perCall.isEmpty || !interceptors.perExchange.isEmpty),
      ("authentication", authentication.isInUse),
      ("cache", cache != nil),
      ("cacheOptions", !cacheOptions.areDefault),
      ("resilience", resilience.isInUse),
      ("observers", !observers.isEmpty),
      ("connectionObserver", self.connectionObserver != nil),
      ("cookieJar", cookieJar?.isReplaceable == false),
      ("transport", transport != nil),
      ("eventLoopGroup", self.eventLoopGroup != nil),
      ("tls.evaluator", self.tls.evaluator != nil),
      ("tls.keyLogFile", self.tls.keyLogFile != TLSOptions().keyLogFile),
      ("tls.acceptsAnyCertificate", self.tls.acceptsAnyCertificate),
      (
        "tls.clientIdentities",
        !self.tls.clientIdentities.isEmpty || self.tls.clientIdentityProvider != nil
      ),
      ("securityPolicy.onEvaluation", securityPolicy.hasClosure { $0.onEvaluation != nil }),
      (
        "securityPolicy.evaluationOverride",
        securityPolicy.hasClosure { $0.evaluationOverride != nil }
      ),
    ]
    let unset = checks.filter(\.1).map(\.0)
    let withoutText = SessionSetting.all.filter { $0.text(self) == nil }.map(\.name)
    return (missingSettings + unset + withoutText).uniqued
  }
}

extension MartletError {
  fileprivate static func unknownSetting(_ name: String) -> MartletError {
    MartletError(
      .invalidSetting,
      "The archive has the setting “\(name.masked)”, which a session does not have: it may be from a newer version."
    )
  }
}

extension CookieJar {
  /// Whether a new jar is the same.
  fileprivate var isReplaceable: Bool { self !== CookieJar.shared && limits == Limits() && isEmpty }
}

extension CacheOptions {
  /// Whether all options have their documented defaults.
  fileprivate var areDefault: Bool {
    let defaults = CacheOptions()
    return key == nil
      && (
        mode, heuristicFraction, heuristicLimit, acceptedStalenessAfterErrors, collapsesRequests,
        name
      )
        == (
          defaults.mode, defaults.heuristicFraction, defaults.heuristicLimit,
          defaults.acceptedStalenessAfterErrors, defaults.collapsesRequests, defaults.name
        )
  }
}

extension SecurityPolicy {
  fileprivate func hasClosure(_ isSet: (SecurityPolicy) -> Bool) -> Bool {
    isSet(self) || hostPolicies.values.contains { $0.hasClosure(isSet) }
  }
}

extension [String] {
  /// The elements without those that have come before.
  fileprivate var uniqued: [String] {
    reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}
