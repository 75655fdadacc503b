import EssentialFoundation

extension IPAddress {
  /// The address that a text stands for, its zone aside; `nil` when it stands for none.
  package init?(_ text: some StringProtocol, port: Int) {
    let bare = String(text.prefix { $0 != "%" })
    guard let bytes = Self.bytes(bare, AF_INET, count: 4) ?? Self.bytes(bare, AF_INET6, count: 16)
    else { return nil }
    self.init(bytes: bytes, port: port)
  }

  private static func bytes(_ text: String, _ family: CInt, count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return inet_pton(family, text, &bytes) == 1 ? bytes : nil
  }
}
