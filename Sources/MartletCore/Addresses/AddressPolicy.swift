/// The addresses that connections may be made to.
///
/// It is applied to the resolved addresses of a host when a connection is made, also after a redirect. A name that
/// resolves to another address later therefore cannot circumvent it. A proxy looks up host names itself: for a request
/// through a proxy, the policy is applied only if the host of the URL is an IP address. Hosts such as `127.1` or `0x7f.1`, which
/// some programs read as an address, are then refused.
///
///     $0.addressPolicy = .publicOnly                       // for URLs from untrusted users
///     $0.addressPolicy = AddressPolicy { $0.port == 443 && $0.isPublic }
public struct AddressPolicy: Sendable {
  private let allowsAddress: @Sendable (IPAddress) -> Bool
  /// Whether connections to Unix-domain sockets are allowed.
  package let allowsSockets: Bool
  /// The name of a policy that has one.
  package let name: String?

  /// A custom policy, which does not allow Unix-domain sockets.
  ///
  /// - Parameter allows: Returns whether connections to an address are allowed. Called for each address of a host, on
  ///   any thread, also on an event loop: it must be quick and must not block.
  public init(_ allows: @escaping @Sendable (IPAddress) -> Bool) {
    self.init(nil, allows)
  }

  private init(
    _ name: String?, allowsSockets: Bool = false, _ allows: @escaping @Sendable (IPAddress) -> Bool
  ) {
    self.name = name
    self.allowsSockets = allowsSockets
    allowsAddress = allows
  }

  /// All addresses and Unix-domain sockets.
  public static let any = AddressPolicy("any", allowsSockets: true) { _ in true }
  /// Only addresses of the public internet, not those of this machine, its local network or a cloud's internal
  /// services.
  ///
  /// It protects against server-side request forgery.
  public static let publicOnly = AddressPolicy("publicOnly") { $0.isPublic }

  /// Whether the policy is ``any``.
  package var allowsAll: Bool { name == Self.any.name }

  /// Whether connections to an address are allowed.
  public func allows(_ address: IPAddress) -> Bool { allowsAddress(address) }
}
