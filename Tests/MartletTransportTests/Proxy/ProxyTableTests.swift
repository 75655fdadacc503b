import HTTPTypes
import MartletCore
import NIOCore
import Testing

@testable import MartletTransport

/// Which way requests take: rules, and the environment.
struct ProxyTableTests {
  private func route(
    _ url: String, _ variables: [String: String], _ configuration: ProxyConfiguration = .system
  ) throws -> String {
    let table = ProxyTable(configuration, environment: variables)
    return try table.routes(to: Request(.get, url).origin).map(\.description)
      .joined(separator: ", ")
  }

  @Test(
    arguments: [
      ([:], "http://a/", "direct"),
      (["http_proxy": "http://p"], "http://a/", "through http://p:80"),
      (["http_proxy": "http://p"], "https://a/", "direct"),
      (["https_proxy": "http://p"], "https://a/", "through http://p:80"),
      (["https_proxy": "http://p"], "http://a/", "direct"),
      (["HTTPS_PROXY": "http://p"], "https://a/", "through http://p:80"),
      (
        ["https_proxy": "http://p", "HTTPS_PROXY": "http://q"], "https://a/", "through http://p:80"
      ),
      (["all_proxy": "socks5://p"], "http://a/", "through socks5://p:1080"),
      (["ALL_PROXY": "socks5h://p"], "https://a/", "through socks5://p:1080"),
      (["all_proxy": "http://p", "http_proxy": "http://q"], "http://a/", "through http://q:80"),
      (["http_proxy": ""], "http://a/", "direct"),
      (["all_proxy": "p", "no_proxy": "a"], "http://a/", "direct"),
      (["all_proxy": "p", "NO_PROXY": "a"], "http://b.a/", "direct"),
      (["all_proxy": "p", "no_proxy": "a"], "http://b/", "through http://p:80"),
      (["all_proxy": "p", "no_proxy": "*"], "http://b/", "direct"),
      (["all_proxy": "p"], "http://localhost:8080/", "direct"),
      (["all_proxy": "p"], "https://127.0.0.1/", "direct"),
      (["all_proxy": "p"], "http://[::1]/", "direct"),
      (["all_proxy": "p"], "http+unix://%2Frun%2Fa.sock/", "direct"),
    ] as [([String: String], String, String)])
  func `the environment decides`(variables: [String: String], url: String, way: String) throws {
    #expect(try route(url, variables) == way)
  }

  /// A CGI program finds what a client sent in the field `Proxy` there.
  @Test func `HTTP_PROXY does not count`() throws {
    #expect(try route("http://a/", ["HTTP_PROXY": "http://p"]) == "direct")
  }

  @Test(arguments: [
    (
      "http://a/", "http_proxy", "ftp://user:secret@p",
      "The environment variable `http_proxy` cannot be used: its scheme must be http, https, socks5 or socks5h."
    ),
    (
      "https://a/", "HTTPS_PROXY", "http://user:secret@p:99999",
      "The environment variable `HTTPS_PROXY` cannot be used: port 99999 is not between 1 and 65535."
    ),
    (
      "https://a/", "all_proxy", "http://user:sec/ret@p",
      "The environment variable `all_proxy` cannot be used: it is not a URL such as http://proxy.example.com:3128; percent-encode special characters in user and password."
    ),
  ])
  func `a variable that makes no sense fails what needs it`(
    url: String, name: String, text: String, sentence: String
  ) throws {
    let error = #expect(throws: MartletError.self) { try route(url, [name: text]) }
    #expect(error?.message == sentence)
    #expect(error?.code == .invalidProxy)
    // Nothing else needs it.
    #expect(try route("http://localhost/", [name: text]) == "direct")
    #expect(try route(url, [name: text, "no_proxy": "a"]) == "direct")
    #expect(try route(url, [name: text], .none) == "direct")
  }

  @Test func `exceptions that make no sense fail what would go through a proxy`() throws {
    let variables = ["http_proxy": "p", "no_proxy": "b,10.0.0.0/99"]
    let error = #expect(throws: MartletError.self) { try route("http://a/", variables) }
    #expect(
      error?.message
        == "The environment variable `no_proxy` cannot be used: “10.0.0.0/99” is no host such as example.com, no address, and no block of addresses such as 10.0.0.0/8."
    )
    #expect(try route("https://a/", variables) == "direct")
  }

  @Test func `the first rule that is for a server counts, and then the environment`() throws {
    let (p, q) = (try Proxy("p"), try Proxy("q"))
    let configuration = ProxyConfiguration(
      [
        ProxyRule(.direct, hosts: try HostList(".internal")),
        ProxyRule(.through(p), .through(q), .direct, scheme: .https, hosts: try HostList("a,b")),
        ProxyRule(hosts: try HostList("c")),
      ], followsEnvironment: true)
    let environment = ["all_proxy": "e"]
    #expect(try route("https://b.internal/", environment, configuration) == "direct")
    #expect(
      try route("https://b/", environment, configuration)
        == "through http://p:80, through http://q:80, direct")
    #expect(try route("http://b/", environment, configuration) == "through http://e:80")
    #expect(try route("http://c/", environment, configuration) == "direct")
    var own = configuration
    own.followsEnvironment = false
    #expect(try route("http://b/", environment, own) == "direct")
  }

  @Test func `a rule is for this machine, too, unless an exception says otherwise`() throws {
    let configuration = ProxyConfiguration.through(try Proxy("p"))
    #expect(try route("http://localhost/", [:], configuration) == "through http://p:80")
    #expect(try route("http://localhost/", [:], configuration.excepting(.loopback)) == "direct")
    #expect(configuration.excepting(nil) == configuration)
    #expect(try route("http://a/", ["all_proxy": "p"], .system.excepting(.all)) == "direct")
  }

  @Test func `a proxy that has failed comes last for a minute`() throws {
    let (p, q) = (try Proxy("p"), try Proxy("q"))
    let routes = [ProxyRoute.through(p), .direct, .through(q)]
    var order = FailedProxies()
    let then = NIODeadline.now()
    #expect(order.ordered(routes, now: then) == routes)
    order.recordFailure(of: routes[0], now: then)
    order.recordFailure(of: .direct, now: then)
    #expect(order.ordered(routes, now: then) == [routes[1], routes[2], routes[0]])
    order.recordFailure(of: routes[2], now: then + .seconds(30))
    #expect(order.ordered(routes, now: then + .seconds(59)) == [routes[1], routes[0], routes[2]])
    #expect(order.ordered(routes, now: then + .seconds(60)) == [routes[0], routes[1], routes[2]])
    order.recordSuccess(of: routes[2])
    #expect(order.ordered(routes, now: then + .seconds(59)) == [routes[1], routes[2], routes[0]])
  }
}
