import Testing

@testable import MartletTransport

/// The rules of names in certificates, as values.
struct DNSNameTests {
  /// Names in a certificate, a host, and whether they mean it (RFC 9525 §6.3).
  static let hosts: [(name: String, host: String, isMeant: Bool)] = [
    // Names without a wildcard.
    ("example.com", "example.com", true),
    ("EXAMPLE.com", "example.COM", true),
    ("example.com", "example.com.", true),
    ("example.com.", "example.com", true),
    ("localhost", "localhost", true),
    ("example.com", "www.example.com", false),
    ("www.example.com", "example.com", false),
    ("example.com", "example.com.evil.org", false),
    ("foo_bar.example.com", "foo_bar.example.com", true),
    ("foo_bar.example.com", "foo-bar.example.com", false),
    ("xn--bcher-kva.example", "xn--bcher-kva.example", true),
    ("", "", false),
    (".", ".", false),
    // A whole first label, with one label behind it at least; OpenSSL asks for two.
    ("*.example.com", "www.example.com", true),
    ("*.EXAMPLE.com", "WWW.example.com", true),
    ("*.example.com.", "www.example.com", true),
    ("*.example.com", "www.example.com.", true),
    ("*.example.com", "foo_bar.example.com", true),
    ("*.example.com", "xn--bcher-kva.example.com", true),
    ("*.localhost", "app.localhost", true),
    ("*.com", "example.com", true),
    // It stands for one label, and for no more or less.
    ("*.example.com", "example.com", false),
    ("*.example.com", "a.b.example.com", false),
    ("*.example.com", ".example.com", false),
    ("*.example.com", "www.example.org", false),
    ("*.example.com", "wwwexample.com", false),
    // Nothing else is a wildcard.
    ("*", "localhost", false),
    ("*.", "localhost", false),
    ("*", "*", false),
    ("f*", "foo", false),
    ("*o", "foo", false),
    ("ba*.example.com", "bar.example.com", false),
    ("*r.example.com", "bar.example.com", false),
    ("b*r.example.com", "bar.example.com", false),
    ("xn--*.example.com", "xn--bcher-kva.example.com", false),
    ("www.*.com", "www.example.com", false),
    ("*.*.com", "www.example.com", false),
    ("**.example.com", "www.example.com", false),
  ]

  @Test(arguments: hosts)
  func `a name in a certificate stands for a host, or for none`(
    name: String, host: String, isMeant: Bool
  ) {
    #expect(DNSName(name).matches(DNSName(host)) == isMeant)
  }

  /// Names, a tree, and whether they are in it (RFC 5280 §4.2.1.10).
  static let trees: [(name: String, tree: String, isWithin: Bool)] = [
    ("example.com", "example.com", true),
    ("www.example.com", "example.com", true),
    ("a.b.example.com", "EXAMPLE.com", true),
    ("www.example.com", "example.com.", true),
    ("*.example.com", "example.com", true),
    ("example.com", "www.example.com", false),
    ("*.example.com", "www.example.com", false),
    ("notexample.com", "example.com", false),
    ("example.com.evil.org", "example.com", false),
    ("www.example.com", ".example.com", true),
    ("example.com", ".example.com", false),
    ("example.com", "", true),
    ("localhost", "", true),
    ("", "example.com", false),
  ]

  @Test(arguments: trees)
  func `a tree has its top in it, and what is below`(name: String, tree: String, isWithin: Bool) {
    #expect(DNSName(name).isWithin(DNSName(tree)) == isWithin)
  }

  @Test(arguments: [
    ("ada@example.com", "example.com", true), ("ada@EXAMPLE.com", "example.com", true),
    ("ada@www.example.com", "example.com", false), ("ada@www.example.com", ".example.com", true),
    ("ada@example.com", ".example.com", false), ("ada@example.com", "ada@example.com", true),
    ("Ada@example.com", "ada@example.com", false), ("bob@example.com", "ada@example.com", false),
    ("ada", "example.com", false),
  ])
  func `a tree of mail is an address, a host, or behind a dot the hosts of a domain`(
    mail: String, tree: String, isWithin: Bool
  ) {
    #expect(MailName(mail).isWithin(MailName(tree)) == isWithin)
  }
}
