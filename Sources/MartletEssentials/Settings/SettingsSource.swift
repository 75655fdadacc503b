public import EssentialFoundation
import MartletCore

extension HTTPSessionManager.Configuration {
  /// Reads the base URL and the settings of the session from the environment of the process, or from other variables.
  ///
  ///     let api = try HTTPSessionManager { try $0.readEnvironment(prefix: "BIRDS") }   // BIRDS_BASE_URL, …
  ///
  /// The variable of the base URL has the name `BASE_URL` after the prefix. The others are described in
  /// ``SessionConfiguration/readEnvironment(prefix:_:)``.
  ///
  /// - Parameters:
  ///   - prefix: The beginning of the names, without the underscore after it.
  ///   - environment: The variables. The default is the environment of the process.
  /// - Throws: `MartletError` with code `.invalidSetting` for a variable whose text has the wrong form.
  public mutating func readEnvironment(
    prefix: String, _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws {
    try read(from: .environment(prefix: prefix, environment))
  }

  /// Reads the base URL and the settings of the session from any source, such as a file.
  ///
  /// - Parameter source: Returns the text of the setting with a name, or `nil` if the source does not have it. The base
  ///   URL has the name `baseURL`; the others are described in ``SessionConfiguration/read(_:)``.
  /// - Throws: `MartletError` with code `.invalidSetting` for a text that has the wrong form, or what `source` throws.
  public mutating func read(_ source: (_ name: String) throws -> String?) throws {
    try withoutActuallyEscaping(source) { try read(from: .closure($0)) }
  }

  private mutating func read(from source: SettingsSource) throws {
    if let (name, text) = try source.setting("baseURL") {
      guard let url = try? URL(escaping: text), url.host()?.isEmpty == false else {
        throw MartletError.invalidSetting(
          name, nil, form: "a whole URL, such as “https://api.example.com/v1”")
      }
      baseURL = url
    }
    try session.read(from: source)
  }
}

extension SessionConfiguration {
  /// Reads settings from the environment of the process, or from other variables.
  ///
  ///     var configuration = SessionConfiguration()
  ///     try configuration.readEnvironment(prefix: "BIRDS")   // BIRDS_TIMEOUTS_CONNECT=5s
  ///
  /// The name of a variable is the prefix and the name of the setting, as in ``read(_:)``, in upper case and with
  /// underscores: `BIRDS_CONNECTIONS_MAXIMUM_PER_ORIGIN` for `connections.maximumPerOrigin`. Other variables are ignored.
  ///
  /// - Parameters:
  ///   - prefix: The beginning of the names, without the underscore after it.
  ///   - environment: The variables. The default is the environment of the process.
  /// - Throws: `MartletError` with code `.invalidSetting` for a variable whose text has the wrong form.
  public mutating func readEnvironment(
    prefix: String, _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws {
    try read(from: .environment(prefix: prefix, environment))
  }

  /// Reads settings from any source, such as a file.
  ///
  /// The name of a setting is the path of its property, such as `timeouts.firstByte`, `connections.maximumTotal`,
  /// `redirectPolicy.limit`, `versions` or `tls.roots`. Settings that the source does not have are not changed.
  ///
  /// - Parameter source: Returns the text of the setting with a name, or `nil` if the source does not have it. Called
  ///   once for each setting.
  /// - Throws: `MartletError` with code `.invalidSetting` for a text that has the wrong form, or what `source` throws.
  public mutating func read(_ source: (_ name: String) throws -> String?) throws {
    try withoutActuallyEscaping(source) { try read(from: .closure($0)) }
  }

  /// The settings whose text may contain a password, so that neither errors nor logs show it.
  package static let secretSettings: Set<String> = ["baseURL", "proxies"]

  fileprivate mutating func read(from source: SettingsSource) throws {
    for setting in SessionSetting.all {
      guard let (name, text) = try source.setting(setting.name) else { continue }
      guard setting.set(&self, text) else {
        let isSecret = Self.secretSettings.contains(setting.name)
        throw MartletError.invalidSetting(name, isSecret ? nil : text, form: setting.form)
      }
    }
  }
}

/// A source of settings.
private struct SettingsSource {
  /// Returns the name that a setting has in the source, and its text.
  let setting: (String) throws -> (name: String, text: String)?

  static func closure(_ text: @escaping (String) throws -> String?) -> SettingsSource {
    SettingsSource { name in try text(name).map { (name, $0) } }
  }

  static func environment(prefix: String, _ environment: [String: String]) -> SettingsSource {
    SettingsSource { name in
      let variable = "\(prefix)_\(variable(name))"
      return environment[variable].map { (variable, $0) }
    }
  }

  /// Returns `TIMEOUTS_FIRST_BYTE` for `timeouts.firstByte`.
  private static func variable(_ setting: String) -> String {
    var variable = ""
    var isLower = false
    for letter in setting {
      if letter.isUppercase, isLower { variable += "_" }
      variable += letter == "." ? "_" : letter.uppercased()
      isLower = letter.isLowercase
    }
    return variable
  }
}

extension MartletError {
  fileprivate static func invalidSetting(_ name: String, _ text: String?, form: String)
    -> MartletError
  {
    let found = text.map { "is “\($0.sanitized)”, but " } ?? ""
    return MartletError(.invalidSetting, "The setting \(name) \(found)must be \(form).")
  }
}
