import ArgumentParser
import Martlet

/// Through which proxy requests go, if not the one that the environment names.
struct ProxyOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Go through this proxy, such as http://user:password@host:3128; also https and socks5. Without, the environment says: http_proxy, https_proxy, all_proxy and no_proxy.",
      valueName: "URL"))
  var proxy: String?

  @Option(
    name: .customLong("no-proxy"),
    help: ArgumentHelp(
      "Go through no proxy to these hosts, such as .example.com,10.0.0.0/8; * is all.",
      valueName: "hosts"))
  var exceptions: String?

  func validate() throws {
    do {
      _ = try configuration
    } catch {
      throw ValidationError(error.message)
    }
  }

  /// What they come to.
  var configuration: ProxyConfiguration {
    get throws(MartletError) {
      var hosts: ProxyHosts?
      if let exceptions { hosts = try ProxyHosts(exceptions) }
      guard let proxy else { return .system.excepting(hosts) }
      return .through(try Proxy(proxy), except: hosts)
    }
  }
}
