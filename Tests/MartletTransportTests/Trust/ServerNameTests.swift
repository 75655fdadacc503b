import Testing

@testable import MartletTransport

/// What servers are told of their names (SNI), and what their certificates are asked for.
struct ServerNameTests {
  @Test(arguments: [
    ("example.com", "example.com"), ("example.com.", "example.com"), ("localhost", "localhost"),
  ])
  func `a name is sent, without the dot at its end`(host: String, name: String) {
    #expect(ServerName(host).dnsName == name)
    #expect(ServerName(host).address == nil)
  }

  @Test(arguments: [("127.0.0.1", "127.0.0.1"), ("::1", "::1"), ("fe80::1%eth0", "fe80::1")])
  func `an address is never sent, and its zone means nothing to anybody else`(
    host: String, address: String
  ) {
    #expect(ServerName(host).dnsName == nil)
    #expect(ServerName(host).address == address)
  }
}
