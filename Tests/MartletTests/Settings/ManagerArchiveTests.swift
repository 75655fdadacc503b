import Crypto
import Foundation
import Martlet
import MartletTesting
import SpecificationCoverage
import Testing

/// Managers in an archive (HTM-21, SES-S1).
struct ManagerArchiveTests {
  private func restored<Value: Codable>(_ value: Value) throws -> Value {
    try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
  }

  private static let pin = "sha256/" + String(repeating: "A", count: 43) + "="
  private let https = URL(string: "https://birds.example/v1")

  @Test(.covers("HTM-21", "T-HTM-09", "T-HTM-10", "T-HTM-11"))
  func `a manager survives with its base URL, serializers, policy and settings`() throws {
    let api = try HTTPSessionManager(baseURL: https) {
      var json = JSONRequestSerializer(writingOptions: .sortedKeys)
      try json.http.setValue("42", forHTTPHeaderField: "X-Key")
      $0.requestSerializer = json
      $0.responseSerializer = CompoundResponseSerializer([
        PropertyListResponseSerializer(format: .binary), TextResponseSerializer(),
      ])
      $0.timeouts.total = .milliseconds(1250)
      $0.connections.maximumPerOrigin = 2
      $0.expectContinueThreshold = 1 << 20
      $0.cookieJar = nil
      $0.securityPolicy.pins = [try PublicKeyPin(Self.pin)]
    }
    let copy = try restored(api)
    #expect(copy.baseURL == api.baseURL)
    let request = try #require(copy.requestSerializer as? JSONRequestSerializer)
    #expect(request == api.requestSerializer as? JSONRequestSerializer)
    #expect(request.http.value(forHTTPHeaderField: "X-Key") == "42")
    let response = try #require(copy.responseSerializer as? CompoundResponseSerializer)
    #expect(response == api.responseSerializer as? CompoundResponseSerializer)
    #expect(response.components.count == 2)
    #expect(copy.securityPolicy == api.securityPolicy)
    #expect(copy.session.configuration.timeouts == api.session.configuration.timeouts)
    #expect(copy.session.configuration.connections.maximumPerOrigin == 2)
    #expect(copy.session.configuration.expectContinueThreshold == 1 << 20)
    #expect(copy.session.configuration.cookieJar == nil)
    #expect(copy.missingSettings == [])
  }

  @Test(.covers("SES-S1"))
  func `a session survives with its configuration and policy`() throws {
    let session = URLSessionManager()
    session.securityPolicy.validatesDomainName = false
    let copy = try restored(session)
    #expect(!copy.securityPolicy.validatesDomainName)
    #expect(copy.configuration.missingSettings == [])
  }

  @Test func `a decoded manager sends requests`() async throws {
    let server = try await LoopbackServer.start()
    let api = try restored(HTTPSessionManager(baseURL: server.url("/")))
    #expect(try await api.get("get", parameters: ["q": "tern"]).status == .ok)
    await server.stop()
  }

  private struct Own: HTTPResponseSerializing {
    var http = HTTPResponseSerializer()
    func serialize(_ response: Response, data: Data) throws -> Int { data.count }
  }

  private struct PrivateCodable: HTTPResponseSerializing, Codable {
    var http = HTTPResponseSerializer()
    func serialize(_ response: Response, data: Data) throws -> Int { data.count }
  }

  @Test func `a serializer of the application needs only to be Codable`() throws {
    let api = HTTPSessionManager(baseURL: https) { $0.responseSerializer = OwnCodable() }
    #expect(try restored(api).responseSerializer is OwnCodable)
    api.responseSerializer = PrivateCodable()
    #expect(try restored(api).missingSettings == ["responseSerializer"])
  }

  @Test func `decoding says what is missing`() throws {
    let api = try HTTPSessionManager(baseURL: https) {
      var json = JSONRequestSerializer()
      json.makeEncoder = { JSONEncoder() }
      json.http.queryStringStyle = .custom { _, _ in nil }
      $0.requestSerializer = json
      $0.responseSerializer = CompoundResponseSerializer(Own())
      let decoder = JSONDecoder()
      decoder.keyDecodingStrategy = .convertFromSnakeCase
      $0.decoder = decoder
      $0.interceptors.perCall = [DecompressionInterceptor()]
      $0.authentication.tokenProviders = [
        try BearerTokenProvider(for: try #require(https), token: "t") { _ in "t" }
      ]
      $0.cache = MemoryResponseCache()
      $0.cacheOptions.key = { _ in nil }
      $0.transport = InProcessTransport { request in .text("", to: request) }
      $0.tls.acceptsAnyCertificate = true
      $0.tls.roots = .certificates([[1]])
      $0.addressPolicy = AddressPolicy { $0.port == 443 }
      $0.proxies = .through(try Proxy(.http, host: "proxy.example", password: "secret"))
      $0.cookieJar = .shared
      $0.tls.keyLogFile = URL(fileURLWithPath: "/keys")
      $0.securityPolicy.evaluationOverride = { _ in false }
    }
    api.completionQueue = DispatchQueue.global()
    let copy = try restored(api)
    let expected = [
      "requestSerializer.queryStringStyle", "requestSerializer.makeEncoder", "responseSerializer",
      "decoder", "completionQueue", "interceptors", "authentication", "cache",
      "cacheOptions", "cookieJar",
      "transport", "tls.keyLogFile", "tls.acceptsAnyCertificate",
      "securityPolicy.evaluationOverride", "addressPolicy", "proxies",
      "tls.roots",
    ]
    #expect(copy.missingSettings == expected)
    #expect(copy.responseSerializer is JSONResponseSerializer)
    // What an archive lacked, a second archive lacks, too.
    #expect(try restored(copy).missingSettings == expected)
    #expect(copy.copy().missingSettings == expected)
  }

  @Test func `numbers and durations out of range are archived as what they mean`() throws {
    let api = HTTPSessionManager {
      $0.redirectPolicy.limit = -1
      $0.expectContinueThreshold = -1
      $0.timeouts.total = .milliseconds(Int64.max)
      $0.timeouts.idle = .seconds(Int64.max)
    }
    let copy = try restored(api).session.configuration
    #expect(copy.redirectPolicy.limit == 0)
    #expect(copy.expectContinueThreshold == 0)
    #expect(copy.timeouts.total == copy.timeouts.idle)
    #expect(copy.missingSettings == [])
  }

  // MARK: Bad archives

  private func error(_ archive: String) -> (any Error)? {
    #expect(throws: (any Error).self) {
      try JSONDecoder().decode(HTTPSessionManager.self, from: Data(archive.utf8))
    }
  }

  private func archive(
    baseURL: String = "https://birds.example", session: String? = nil, serializer: String = "null"
  ) throws -> String {
    let session =
      try session ?? String(decoding: JSONEncoder().encode(URLSessionManager()), as: UTF8.self)
    return
      #"{"baseURL": "\#(baseURL)", "session": \#(session), "responseSerializer": \#(serializer)}"#
  }

  @Test(arguments: [
    "Nothing", "", "Si", "\u{1}\u{2}\u{3}\u{4}", "17MartletEssentials9SomethingV", "$s4mainA",
    "A_A_A_",
    String(repeating: "S", count: 5000),
  ])
  func `the name of a type that the program does not have is an error`(name: String) throws {
    let name = String(decoding: try JSONEncoder().encode(name), as: UTF8.self)
    let serializer = #"{"type": \#(name), "settings": {}}"#
    let error = error(try archive(serializer: serializer))
    #expect(error is DecodingError)
  }

  @Test func `another kind of type is an error`() throws {
    let request = try JSONEncoder().encode(HTTPSessionManager(baseURL: https))
    let object = try #require(try JSONSerialization.jsonObject(with: request) as? [String: Any])
    let wrong = try JSONSerialization.data(
      withJSONObject: try #require(object["requestSerializer"]))
    let error = error(try archive(serializer: String(decoding: wrong, as: UTF8.self)))
    #expect("\(try #require(error))".contains("is not a response serializer"))
  }

  @Test func `a setting that does not exist, or has the wrong form, is an error`() throws {
    let policy = String(decoding: try JSONEncoder().encode(SecurityPolicy()), as: UTF8.self)
    for (setting, words) in [
      (#""timeout": "5s""#, "“timeout”"), (#""timeouts.total": "5""#, "timeouts.total is “5”"),
    ] {
      let session = #"{"settings": {\#(setting)}, "securityPolicy": \#(policy), "missing": []}"#
      let error = error(try archive(session: session)) as? MartletError
      #expect(error?.code == .invalidSetting)
      #expect(error?.message.contains(words) == true)
    }
  }

  @Test(.covers("HTM-9"))
  func `a policy that pins is refused under a base URL that is not secure`() throws {
    let session = URLSessionManager()
    session.securityPolicy = SecurityPolicy(pins: [
      try PublicKeyPin(Self.pin)
    ])
    let text = String(decoding: try JSONEncoder().encode(session), as: UTF8.self)
    let error = error(try archive(baseURL: "http://birds.example", session: text)) as? MartletError
    #expect(error?.code == .invalidSecurityPolicy)
  }
}

struct OwnCodable: HTTPResponseSerializing, Codable {
  var http = HTTPResponseSerializer()
  func serialize(_ response: Response, data: Data) throws -> Int { data.count }
}
