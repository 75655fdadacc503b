import Configuration
import Foundation
import HTTPTypes
import Martlet
import MartletConfiguration
import MartletService
import MartletTesting
import ServiceLifecycle
import ServiceLifecycleTestKit
import Testing

/// A manager in a server: as a service, and with settings of swift-configuration.
@Suite(.timeLimit(.minutes(5)))
struct ServiceTests {
  @Test func `a graceful shutdown waits for the requests under way, and refuses new ones`()
    async throws
  {
    let (isAsked, mayAnswer) = (AwaitableValue(false), AwaitableValue(false))
    let server = try await LoopbackServer.start(
      router: ServerRouter([
        .get("/slow") { _ in
          isAsked.update { $0 = true }
          try await mayAnswer.wait { $0 }
          return .text("late")
        }
      ]))
    let api = HTTPSessionManager(baseURL: server.url("/"))
    try await testGracefulShutdown { trigger in
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await ManagerService(api).run() }
        group.addTask {
          let response = try await api.response(.get, "slow")
          #expect(try await response.text() == "late")
        }
        try await isAsked.wait { $0 }
        trigger.triggerGracefulShutdown()
        while !api.session.isInvalidated { await Task.yield() }
        let error = await #expect(throws: MartletError.self) { try await api.get("slow") }
        #expect(error?.code == .shutDown)
        mayAnswer.update { $0 = true }
        try await group.waitForAll()
      }
    }
    try await server.waitForOpenConnections(0)
    await server.stop()
  }

  @Test func `a cancelled service cancels its requests`() async throws {
    let isAsked = AwaitableValue(false)
    let server = try await LoopbackServer.start(
      router: ServerRouter([
        .get("/slow") { _ in
          isAsked.update { $0 = true }
          try await Task.sleep(for: .seconds(600))
          return .text("late")
        }
      ]))
    let api = HTTPSessionManager(baseURL: server.url("/"))
    let service = Task { await ManagerService(api).run() }
    let request = Task { try await api.get("slow") }
    try await isAsked.wait { $0 }
    service.cancel()
    await service.value
    let error = await #expect(throws: MartletError.self) { try await request.value }
    #expect(error?.code == .cancelled)
    await server.stop()
  }

  // MARK: Settings

  private func config(_ values: [AbsoluteConfigKey: ConfigValue]) -> ConfigReader {
    ConfigReader(provider: InMemoryProvider(values: values))
  }

  @Test func `settings come from a configuration, texts and numbers alike`() throws {
    let config = config([
      "birds.baseURL": "https://birds.example/v1", "birds.timeouts.connect": "250ms",
      "birds.connections.maximumPerOrigin": 3, "birds.redirectPolicy.isEnabled": false,
      "birds.http2.pingInterval": "2m",
    ])
    let api = try HTTPSessionManager {
      $0.timeouts.connect = .seconds(9)
      $0.timeouts.total = .seconds(30)
      try $0.read(config.scoped(to: "birds"))
    }
    let settings = api.session.configuration
    #expect(api.baseURL?.absoluteString == "https://birds.example/v1/")
    #expect(settings.timeouts.connect == .milliseconds(250))
    #expect(settings.timeouts.total == .seconds(30))
    #expect(settings.connections.maximumPerOrigin == 3)
    #expect(!settings.redirectPolicy.isEnabled)
    #expect(settings.http2.pingInterval == .seconds(120))
  }

  @Test func `an environment has the names that swift-configuration expects`() throws {
    let environment = [
      "BIRDS_BASE_URL": "http://birds.example", "BIRDS_TIMEOUTS_FIRST_BYTE": "5s",
      "BIRDS_HTTP2_INITIAL_STREAM_WINDOW_SIZE": "70000", "BIRDS_VERSIONS": "http1",
    ]
    let provider = EnvironmentVariablesProvider(environmentVariables: environment)
    let config = ConfigReader(provider: provider)
    for api in [
      try HTTPSessionManager { try $0.read(config.scoped(to: "birds")) },
      try HTTPSessionManager { try $0.readEnvironment(prefix: "BIRDS", environment) },
    ] {
      #expect(api.baseURL?.absoluteString == "http://birds.example")
      #expect(api.session.configuration.timeouts.firstByte == .seconds(5))
      #expect(api.session.configuration.http2.initialStreamWindowSize == 70_000)
      #expect(api.session.configuration.versions == .http1)
    }
  }

  @Test func `a reporter does not see what may contain a password`() throws {
    let reporter = Reporter()
    let config = ConfigReader(
      provider: InMemoryProvider(values: [
        "proxies": "http://ada:secret@proxy", "baseURL": "http://ada:secret@birds.example",
        "timeouts.connect": "5s",
      ]), accessReporter: reporter)
    _ = try HTTPSessionManager { try $0.read(config) }
    let values = reporter.values.current
    #expect(values["timeouts.connect"] == false)
    #expect(values["proxies"] == true)
    #expect(values["baseURL"] == true)
  }

  /// Records for each key that has a value whether it is a secret.
  private final class Reporter: AccessReporter {
    let values = AwaitableValue<[String: Bool]>([:])
    func report(_ event: AccessEvent) {
      guard case .success(let value?) = event.result else { return }
      values.update { $0[event.metadata.key.description] = value.isSecret }
    }
  }

  @Test(arguments: [
    ("timeouts.connect", ConfigValue(.int(5), isSecret: false)),
    ("timeouts.connect", ConfigValue(.stringArray(["5s"]), isSecret: false)),
    ("connections.maximumTotal", ConfigValue(.intArray([5]), isSecret: false)),
    ("timeouts.connect", ConfigValue(.doubleArray([5]), isSecret: false)),
    ("redirectPolicy.isEnabled", ConfigValue(.boolArray([true]), isSecret: false)),
    ("redirectPolicy.limit", ConfigValue(.bool(true), isSecret: false)),
  ])
  func `a value of the wrong form is an error that names it`(key: String, value: ConfigValue) {
    let error = #expect(throws: MartletError.self) {
      let config = config([AbsoluteConfigKey(ConfigKey(key)): value])
      return try HTTPSessionManager { try $0.read(config) }
    }
    #expect(error?.code == .invalidSetting)
    #expect(error?.message.contains(key) == true)
  }
}
