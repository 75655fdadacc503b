import Foundation
import HTTPTypes
import Martlet
import MartletTesting
import Testing

/// Where connections may lead.
@Suite(.timeLimit(.minutes(5)))
struct AddressPolicyTests {
  @Test(arguments: ["localhost", "127.0.0.1", "[::1]"])
  func `a policy of public addresses allows no connection to this machine`(host: String)
    async throws
  {
    var configuration = SessionConfiguration()
    configuration.addressPolicy = .publicOnly
    let session = URLSessionManager(configuration: configuration)
    await #expect {
      try await session.send(Request(.get, "http://\(host):9/"))
    } throws: { error in
      let error = error as? MartletError
      return error?.code == .addressNotAllowed && error?.addresses == []
        && error?.message.hasPrefix("http://\(host):9 leads to ") == true
        && error?.message.hasSuffix(
          ":9, where the address policy allows no connection: use another URL or change `addressPolicy`."
        ) == true
    }
  }

  @Test func `a socket of this machine is not public`() async throws {
    var configuration = SessionConfiguration()
    configuration.addressPolicy = .publicOnly
    let session = URLSessionManager(configuration: configuration)
    await #expect {
      try await session.send(Request(.get, "http+unix://%2Frun%2Fapp.sock/"))
    } throws: { ($0 as? MartletError)?.code == .addressNotAllowed }
  }

  @Test(arguments: [
    "127.0.0.1", "127.0.0.1.", "[::1]", "[::1%25x]", "[::ffff:127.0.0.1]", "127.1", "0x7f.1",
    "2130706433", "0177.0.0.1", "0x7F000001", "1.2.3.4.5",
  ])
  func `nor does a proxy receive such an address, however it is written`(host: String) async throws
  {
    let proxy = try await ScriptedServer.start(.text("ok"))
    let session = try publicSession(through: proxy)
    await #expect {
      try await session.send(Request(.get, "http://\(host)/"))
    } throws: { ($0 as? MartletError)?.code == .addressNotAllowed }
    #expect(proxy.receivedRequests.isEmpty)
    await session.shutDown()
    await proxy.stop()
  }

  @Test func `the error names the address, or the host that may be one`() async throws {
    let proxy = try await ScriptedServer.start(.text("ok"))
    let session = try publicSession(through: proxy)
    for (url, sentence) in [
      (
        "http://[::1%25x]:81/",
        "http://[::1]:81 leads to [::1]:81, where the address policy allows no connection: use another URL or change `addressPolicy`."
      ),
      (
        "http://127.1/",
        "A proxy may read the host of http://127.1 as an address, which the address policy cannot check: write the address in its usual form."
      ),
    ] {
      let error = await #expect(throws: MartletError.self) {
        try await session.send(Request(.get, url))
      }
      #expect(error?.message == sentence)
    }
    await session.shutDown()
    await proxy.stop()
  }

  @Test(arguments: ["192.0.1.1", "1.example", "x0x7f"])
  func `it receives public addresses, and names`(host: String) async throws {
    let proxy = try await ScriptedServer.start(.text("ok"))
    let session = try publicSession(through: proxy)
    #expect(try await session.send(Request(.get, "http://\(host)/")).status == .ok)
    await session.shutDown()
    await proxy.stop()
  }

  private func publicSession(through proxy: ScriptedServer) throws -> URLSessionManager {
    var configuration = SessionConfiguration()
    configuration.proxies = .through(try Proxy(.http, host: "127.0.0.1", port: proxy.port))
    configuration.addressPolicy = .publicOnly
    return URLSessionManager(configuration: configuration)
  }

  @Test func `a redirect cannot lead where the policy does not`() async throws {
    let (first, second) = (try await LoopbackServer.start(), try await LoopbackServer.start())
    let port = first.port
    var configuration = SessionConfiguration()
    configuration.addressPolicy = AddressPolicy { $0.port == port }
    let session = URLSessionManager(configuration: configuration)
    let target = second.url("/get").absoluteString
    let url = first.url("/redirect-to?url=\(target)")
    await #expect {
      try await session.send(Request(url: url))
    } throws: { ($0 as? MartletError)?.code == .addressNotAllowed }
    #expect(try await session.send(Request(url: first.url("/get"))).status == .ok)
    await first.stop()
    await second.stop()
  }
}
