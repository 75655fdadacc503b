/// To which addresses connections may be made.
///
/// It is applied to what a host's name stands for, at the moment of connecting, and so to every hop of a
/// redirect as well: a name that leads to one address when it is checked and to another when it is used
/// gains nothing.
///
///     $0.addressPolicy = .publicOnly                       // for URLs that strangers send in
///     $0.addressPolicy = AddressPolicy { $0.port == 443 && $0.isPublic }
public struct AddressPolicy: Sendable {
  private let allowsAddress: @Sendable (IPAddress) -> Bool
  /// Whether sockets of this machine may be connected to.
  package let allowsSockets: Bool

  /// A policy of one's own, under which no Unix-domain sockets may be connected to.
  ///
  /// - Parameter allows: Whether an address may be connected to. Called for each address of a host, on any
  ///   thread.
  public init(_ allows: @escaping @Sendable (IPAddress) -> Bool) {
    self.init(allowsSockets: false, allows)
  }

  private init(allowsSockets: Bool, _ allows: @escaping @Sendable (IPAddress) -> Bool) {
    self.allowsSockets = allowsSockets
    allowsAddress = allows
  }

  /// All addresses, and sockets.
  public static let any = AddressPolicy(allowsSockets: true) { _ in true }
  /// Addresses that are reachable from the whole internet: none of this machine, its network, or a cloud's
  /// innards. It protects against server-side request forgery.
  public static let publicOnly = AddressPolicy { $0.isPublic }

  /// Whether an address may be connected to.
  public func allows(_ address: IPAddress) -> Bool { allowsAddress(address) }
}
