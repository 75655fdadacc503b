import Foundation
import MartletCore

extension Cookie: CustomStringConvertible, CustomReflectable {
  /// The cookie as text, such as `<Cookie: id=*** for example.com and below, path /, secure>`; its value is
  /// masked.
  public var description: String {
    let pair = name.isEmpty ? "***" : "\(name.masked)=***"
    return "<Cookie: \(pair) for \(domain.masked)\(traits)>"
  }

  /// What debuggers show; the value is masked here, too.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "name": name.masked, "value": "***", "domain": domain.masked, "isHostOnly": isHostOnly,
        "path": path.masked, "expires": expires as Any, "isSecure": isSecure,
        "isHTTPOnly": isHTTPOnly, "sameSite": sameSite as Any, "created": created,
        "lastUsed": lastUsed,
      ], displayStyle: .struct)
  }

  private var traits: String {
    var traits = isHostOnly ? "" : " and below"
    traits += ", path \(path.masked)"
    if isSecure { traits += ", secure" }
    if isHTTPOnly { traits += ", HTTP only" }
    if let sameSite { traits += ", SameSite \(sameSite.rawValue)" }
    if let expires { traits += ", until \(expires.text)" }
    return traits
  }
}

extension Date {
  /// The date as a description has it; which may be outside of what calendars have.
  fileprivate var text: String {
    let isWritable = (-62_135_596_800..<253_402_300_800).contains(timeIntervalSince1970)
    return isWritable ? formatted(.iso8601) : "another age"
  }
}
