/// What packets leave this machine through.
public struct NetworkInterface: Hashable, Sendable {
  /// The families of interfaces.
  public enum Kind: String, Hashable, Sendable {
    /// A cable, or something that behaves like one, such as a virtual machine's card.
    case wired
    /// A wireless network.
    case wifi = "Wi-Fi"
    /// A mobile network.
    case cellular
    /// The machine itself.
    case loopback
    /// Anything else, such as a tunnel.
    case other
  }

  /// What the system calls it, such as `eth0`.
  public let name: String
  /// Which family it belongs to.
  public let kind: Kind
}

extension NetworkInterface: CustomStringConvertible {
  /// The name, and the family where it is known: `eth0 (wired)`.
  public var description: String { kind == .other ? name : "\(name) (\(kind.rawValue))" }
}
