import Foundation
import Martlet
import Testing

@testable import MartletEssentials

/// Settings of a session as text: from the environment, and from any source.
struct SettingTests {
  /// A text for each setting that differs from its default, in the form in which it is written.
  private static let texts = [
    "timeouts.connect": "7s", "timeouts.tls": "none", "timeouts.firstByte": "1500000000ns",
    "timeouts.idle": "8s", "timeouts.total": "9s", "connections.maximumPerOrigin": "3",
    "connections.maximumTotal": "4", "connections.keepAliveDuration": "11s",
    "connections.maximumAge": "12s", "limits.responseHeadSize": "5000",
    "limits.discardedBodySize": "6000", "redirectPolicy.isEnabled": "false",
    "redirectPolicy.limit": "5", "redirectPolicy.allowsInsecure": "true",
    "decompressionLimits.isEnabled": "true", "decompressionLimits.size": "7000",
    "decompressionLimits.ratio": "8", "decompressionLimits.ratioExemptSize": "9000",
    "decompressionLimits.codings": "1", "expectContinueThreshold": "10000",
    "cookieJar.isEnabled": "false", "addressPolicy": "publicOnly",
    "proxies": "http://proxy.example:3128", "versions": "http1",
    "http2.initialStreamWindowSize": "70000", "http2.maximumStreamWindowSize": "80000",
    "http2.connectionWindowSize": "90000", "http2.pingInterval": "3s", "http2.pingTimeout": "4s",
    "http2.idlePingInterval": "5s", "eventLoopCount": "61", "tls.roots": "/etc/roots.pem",
    "tls.minimumVersion": "TLSv1.3", "tls.maximumVersion": "TLSv1.3",
  ]

  @Test func `each setting is read, and written as it was read`() throws {
    #expect(Set(Self.texts.keys) == Set(SessionSetting.all.map(\.name)))
    var configuration = SessionConfiguration()
    try configuration.read { Self.texts[$0] }
    for setting in SessionSetting.all {
      #expect(setting.text(configuration) == Self.texts[setting.name], "\(setting.name)")
      if setting.name != "decompressionLimits.isEnabled" {
        #expect(setting.text(SessionConfiguration()) != Self.texts[setting.name], "\(setting.name)")
      }
    }
    #expect(configuration.timeouts.firstByte == .milliseconds(1500))
    #expect(configuration.redirectPolicy.allowsInsecure)
    #expect(configuration.decompressionLimits?.size == 7000)
    #expect(configuration.cookieJar == nil)
    #expect(!configuration.addressPolicy.allows(try #require(IPAddress("127.0.0.1", port: 80))))
    #expect(configuration.tls.roots == .file(URL(fileURLWithPath: "/etc/roots.pem")))
  }

  @Test func `a part that is switched off keeps no settings`() throws {
    var configuration = SessionConfiguration()
    let texts = ["decompressionLimits.isEnabled": "no", "decompressionLimits.size": "7"]
    try configuration.read { texts[$0] }
    #expect(configuration.decompressionLimits == nil)
  }

  @Test(arguments: [
    ("5s", Duration.seconds(5)), ("250ms", .milliseconds(250)), ("2m", .seconds(120)),
    ("1.5h", .seconds(5400)), ("0s", .zero), ("7ns", .nanoseconds(7)),
  ])
  func `a duration has a unit`(text: String, expected: Duration) {
    #expect(Duration(settingText: text) == expected)
  }

  @Test(arguments: [
    "", "5", "s", "-1s", "1e3s", "infs", "nans", "5 s", "soon", "99999999999999999999h", "-1ns",
    "+1s",
    "1..2s",
  ])
  func `any other text is no duration`(text: String) {
    #expect(Duration(settingText: text) == nil)
  }

  @Test(arguments: [
    (Duration.seconds(Int64.max), "3155760000s"),
    (.seconds(9_300_000_000) + .nanoseconds(1), "3155760000s"),
    (.seconds(-3), "0s"), (.seconds(3_155_759_999) + .nanoseconds(7), "3155759999000000007ns"),
  ])
  func `a duration that means never is written as one that can be read`(
    duration: Duration, text: String
  ) {
    #expect(duration.settingText == text)
    #expect(Duration(settingText: text) != nil)
  }

  @Test func `a manager reads its variables in one line`() throws {
    let environment = [
      "BIRDS_BASE_URL": "https://birds.example/v1", "BIRDS_CONNECTIONS_MAXIMUM_PER_ORIGIN": "2",
      "BIRDS_TLS_MINIMUM_VERSION": "TLSv1.3", "TIMEOUTS_CONNECT": "1s", "BIRDS_OTHER": "x",
    ]
    let api = try HTTPSessionManager { try $0.readEnvironment(prefix: "BIRDS", environment) }
    #expect(api.baseURL?.absoluteString == "https://birds.example/v1/")
    #expect(api.session.configuration.connections.maximumPerOrigin == 2)
    #expect(api.session.configuration.tls.minimumVersion == .tls13)
    #expect(api.session.configuration.timeouts.connect == SessionConfiguration().timeouts.connect)
    var configuration = SessionConfiguration()
    try configuration.readEnvironment(prefix: "BIRDS", environment)
    #expect(configuration.connections.maximumPerOrigin == 2)
    let plain = try HTTPSessionManager(baseURL: api.baseURL) {
      try $0.readEnvironment(prefix: "BIRDS", [:])
    }
    #expect(plain.baseURL == api.baseURL)
  }

  @Test(arguments: [
    (
      "BIRDS_TIMEOUTS_CONNECT", "soon",
      "is “soon”, but must be a duration such as “5s”, “250ms” or “2m”, or “none”."
    ),
    ("BIRDS_REDIRECT_POLICY_LIMIT", "-1", "is “-1”, but must be a whole number, not less than 0."),
    ("BIRDS_COOKIE_JAR_IS_ENABLED", "", "is “”, but must be “true” or “false”."),
    ("BIRDS_VERSIONS", "HTTP/3", "is “HTTP/3”, but must be “automatic”, “http1” or “http2”."),
    (
      "BIRDS_TLS_MAXIMUM_VERSION", "1.3",
      "is “1.3”, but must be “TLSv1.2” or “TLSv1.3”, or “none”."
    ),
    (
      "BIRDS_TLS_ROOTS", "ca.pem",
      "is “ca.pem”, but must be “system”, or the absolute path of a file of certificates."
    ),
    ("BIRDS_ADDRESS_POLICY", "public", "is “public”, but must be “any” or “publicOnly”."),
    (
      "BIRDS_PROXIES", "ftp://proxy",
      "must be “system”, “none”, or the URL of a proxy."
    ),
    (
      "BIRDS_BASE_URL", "birds",
      "must be a whole URL, such as “https://api.example.com/v1”."
    ),
  ])
  func `a text of the wrong form is an error that says the right form`(
    variable: String, text: String, reason: String
  ) {
    let error = #expect(throws: MartletError.self) {
      try HTTPSessionManager { try $0.readEnvironment(prefix: "BIRDS", [variable: text]) }
    }
    #expect(error?.code == .invalidSetting)
    #expect(error?.message == "The setting \(variable) \(reason)")
  }

  @Test(arguments: [
    ("BIRDS_PROXIES", "ada:secret@proxy:99999"), ("BIRDS_PROXIES", "http://ada:12#secret@proxy"),
    ("BIRDS_PROXIES", "http://ada:secret@"), ("BIRDS_BASE_URL", "http://ada:secret@"),
    ("BIRDS_BASE_URL", "ada:secret@birds.example"),
  ])
  func `an error shows no part of a text that may contain a password`(
    variable: String, text: String
  ) {
    let error = #expect(throws: MartletError.self) {
      try HTTPSessionManager { try $0.readEnvironment(prefix: "BIRDS", [variable: text]) }
    }
    #expect(error?.code == .invalidSetting)
    #expect(error?.message.contains("secret") == false)
  }
}
