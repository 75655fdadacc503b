import Testing

@testable import MartletTransport

/// Which names are sent to servers (SNI), and which names their certificates are checked for.
struct ServerNameTests {
  @Test(arguments: [
    ("example.com", "example.com"), ("example.com.", "example.com"), ("localhost", "localhost"),
  ])
  func `a name is sent, without the dot at its end`(host: String, name: String) {
    #expect(ServerName(host).dnsName == name)
    #expect(ServerName(host).address == nil)
  }

  @Test(arguments: [("127.0.0.1", "127.0.0.1"), ("::1", "::1"), ("fe80::1%eth0", "fe80::1")])
  func `an address is never sent, and its zone is left out`(host: String, address: String) {
    #expect(ServerName(host).dnsName == nil)
    #expect(ServerName(host).address == address)
  }
}
