/// A mail address in a certificate, or at the top of a tree in name constraints: one address, those of a host, or
/// behind a dot those of all hosts of a domain (RFC 5280 §4.2.1.10).
struct MailName: Hashable, Sendable {
  /// What stands before the `@`; `nil` for all addresses of a host.
  private let box: Substring?
  private let host: DNSName

  init(_ text: String) {
    let at = text.lastIndex(of: "@")
    box = at.map { text[..<$0] }
    host = DNSName(at.map { String(text[text.index(after: $0)...]) } ?? text)
  }

  func isWithin(_ tree: MailName) -> Bool {
    guard let box else { return false }
    return tree.box.map { $0 == box && host == tree.host } ?? host.isHost(in: tree.host)
  }
}
