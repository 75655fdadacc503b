import MartletCore

extension Proxy: CustomStringConvertible, CustomReflectable {
  /// The proxy's URL with its password masked, such as `http://user:***@proxy.example.com:3128`.
  public var description: String {
    guard user != nil || password != nil else { return address }
    let mask = password == nil ? "" : ":***"
    return "\(kind.rawValue)://\(user?.masked ?? "")\(mask)@\(authority)"
  }

  /// What debuggers show: no more than the description says.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }

  /// The proxy's URL without user and password, as messages have it.
  var address: String { "\(kind.rawValue)://\(authority)" }

  private var authority: String {
    host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}
