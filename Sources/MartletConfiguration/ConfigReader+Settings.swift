public import Configuration
public import MartletEssentials

extension HTTPSessionManager.Configuration {
  /// Reads the base URL and the settings of the session from swift-configuration.
  ///
  ///     let config = ConfigReader(provider: EnvironmentVariablesProvider())
  ///     let api = try HTTPSessionManager { try $0.read(config.scoped(to: "birds")) }   // BIRDS_BASE_URL, …
  ///
  /// - Parameter config: The configuration. The base URL has the key `baseURL`; the others are described in
  ///   `SessionConfiguration.read(_:)`. Numbers and flags may have types of their own, or be text. An access reporter
  ///   redacts the base URL and the proxies, because they may contain a password.
  /// - Throws: `MartletError` with code `.invalidSetting` for a value that has the wrong form.
  public mutating func read(_ config: ConfigReader) throws {
    try read { config.text(ofSetting: $0) }
  }
}

extension SessionConfiguration {
  /// Reads settings from swift-configuration.
  ///
  /// - Parameter config: The configuration, whose keys are described in ``read(_:)``.
  /// - Throws: `MartletError` with code `.invalidSetting` for a value that has the wrong form.
  public mutating func read(_ config: ConfigReader) throws {
    try read { config.text(ofSetting: $0) }
  }
}

extension ConfigReader {
  /// Returns the text of a value of any type; `nil` if there is no value. The text of an array fits no setting, so that
  /// an array is an error, too.
  fileprivate func text(ofSetting setting: String) -> String? {
    let key = ConfigKey(setting)
    let isSecret = SessionConfiguration.secretSettings.contains(setting)
    if let text = string(forKey: key, isSecret: isSecret) { return text }
    let values: [(any CustomStringConvertible)?] = [
      int(forKey: key, isSecret: isSecret), bool(forKey: key, isSecret: isSecret),
      double(forKey: key, isSecret: isSecret), stringArray(forKey: key, isSecret: isSecret),
      intArray(forKey: key, isSecret: isSecret), doubleArray(forKey: key, isSecret: isSecret),
      boolArray(forKey: key, isSecret: isSecret),
    ]
    return values.lazy.compactMap(\.self).first?.description
  }
}
