import HTTPTypes
import MartletCore
import MartletTransport
import Testing

/// Lists of hosts, as `no_proxy` has them.
struct HostListTests {
  @Test(arguments: [
    ("*", "http://example.com/"), ("*", "http://127.0.0.1/"),
    ("example.com", "http://example.com/"), ("example.com", "https://www.example.com:8443/"),
    (".example.com", "http://example.com/"), ("*.example.com", "http://a.b.example.com/"),
    ("EXAMPLE.com.", "http://www.Example.COM./"), ("a, example.com b", "http://example.com/"),
    ("example.com:8080", "http://www.example.com:8080/"), ("example.com:80", "http://example.com/"),
    ("*:8080", "http://anything:8080/"), ("example.com:443", "https://example.com/"),
    ("10.1.2.3", "http://10.1.2.3:99/"), ("10.1.2.3:99", "http://10.1.2.3:99/"),
    ("10.0.0.0/8", "http://10.255.0.1/"), ("10.1.2.3/8", "http://10.255.0.1/"),
    ("0.0.0.0/0", "http://1.2.3.4/"), ("192.168.5.0/23", "http://192.168.4.1/"),
    ("10.0.0.0/8", "http://[::ffff:10.0.0.1]/"), ("::1", "http://[::1]/"),
    ("::ffff:10.0.0.1", "http://10.0.0.1/"), ("[::ffff:10.0.0.1]:99", "http://10.0.0.1:99/"),
    ("::ffff:10.0.0.0/104", "http://10.9.0.1/"),
    ("::ffff:10.0.0.0/104", "http://[::ffff:10.9.0.1]/"),
    ("[::1]", "http://[0:0::1]/"), ("[::1]:99", "http://[::1]:99/"),
    ("fd00::/8", "http://[fd12::1]/"), ("2001:db8::/33", "http://[2001:db8:7fff::]/"),
  ])
  func `hosts that are in a list`(list: String, url: String) throws {
    #expect(try HostList(list).contains(Request(.get, url).origin))
  }

  @Test(arguments: [
    ("", "http://example.com/"), (",, ,", "http://example.com/"),
    ("example.com", "http://badexample.com/"), ("example.com", "http://example.com.evil/"),
    ("www.example.com", "http://example.com/"), ("example.com:8080", "http://example.com/"),
    ("com:1", "http://example.com/"), ("10.0.0.0/8", "http://11.0.0.1/"),
    ("10.0.0.0/8", "http://10.example/"), ("0.0.0.0/0", "http://[fd00::1]/"),
    ("0.0.0.0/0", "http://example.com/"), ("::/0", "http://10.0.0.1/"),
    ("::ffff:10.0.0.0/104", "http://11.0.0.1/"), ("192.168.5.0/24", "http://192.168.4.1/"),
    ("2001:db8::/33", "http://[2001:db8:8000::]/"),
    ("1.2.3.4", "http://11.2.3.4/"), ("2.3.4", "http://1.2.3.4/"),
    ("*", "http+unix://%2Frun%2Fa.sock/"),
  ])
  func `hosts that are not in a list`(list: String, url: String) throws {
    #expect(try !HostList(list).contains(Request(.get, url).origin))
  }

  @Test(arguments: [
    "10.0.0.0/33", "::/129", "10.0.0.0/", "/8", "10.0.0/8", "host:0", "host:65536", "host:", "a*b",
    "10.*", "..", ".", "*.*", "http://host", "[::1", "[::1]:x", "[host]", "ho st:x", "ü.example",
    "10.0.0.0/+8", "host:+80", "a/b",
  ])
  func `an entry that means nothing is refused`(entry: String) {
    let error = #expect(throws: MartletError.self) { try HostList("example.com,\(entry)") }
    #expect(error?.code == .invalidProxy)
    let shown = entry == "ho st:x" ? "st:x" : entry
    #expect(
      error?.message
        == "The list of hosts cannot be used: “\(shown)” is no host such as example.com, no address, and no block of addresses such as 10.0.0.0/8."
    )
  }

  @Test func `a proxy that got into the list by mistake keeps its secrets`() {
    let error = #expect(throws: MartletError.self) { try HostList("http://user:secret@proxy") }
    #expect(error.map { !$0.message.contains("secret") } == true)
  }

  @Test(arguments: [
    "http://localhost/", "http://api.localhost:99/", "https://127.0.0.1/", "http://127.9.9.9/",
    "http://[::1]/", "http://[::ffff:127.0.0.1]/", "http://LOCALHOST./",
  ])
  func `this machine is this machine by any name`(url: String) throws {
    #expect(try HostList.loopback.contains(Request(.get, url).origin))
    #expect("\(HostList.loopback)" == "localhost,127.0.0.0/8,::1")
  }

  @Test(arguments: ["http://128.0.0.1/", "http://[::2]/", "http://notlocalhost/"])
  func `and no other`(url: String) throws {
    #expect(try !HostList.loopback.contains(Request(.get, url).origin))
  }
}
