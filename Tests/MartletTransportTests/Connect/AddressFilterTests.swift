import EssentialFoundation
import HTTPTypes
import MartletCore
import MartletTesting
import NIOCore
import Testing

@testable import MartletTransport

/// Which of a name's addresses an engine with an address policy connects to.
@Suite(.timeLimit(.minutes(5)))
struct AddressFilterTests {
  /// An engine whose look-ups return these lists of addresses, one after the other, and the last one for all others. It may
  /// connect to 127.0.0.1 only.
  private func engine(_ answers: [String]..., port: Int) -> HTTPTransport {
    let rest = Locked(answers)
    var configuration = HTTPTransportConfiguration()
    configuration.proxies = .none
    configuration.eventLoopCount = 1
    configuration.addressPolicy = AddressPolicy { $0.bytes == [127, 0, 0, 1] }
    configuration.resolver.lookUp = { _, _ in
      let texts = rest.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
      return try texts.map { try SocketAddress(ipAddress: $0, port: port) }
    }
    return HTTPTransport(configuration)
  }

  @Test func `only the allowed addresses of a name are connected to`() async throws {
    let server = try await LoopbackServer.start()
    let engine = engine(["127.0.0.2", "::1", "127.0.0.1", "127.0.0.3"], port: server.port)
    let response = try await engine.send(Request("http://api.example/get"))
    #expect(response.metrics.connection?.remoteAddress == "127.0.0.1:\(server.port)")
    #expect(server.connectionCount == 1)
    await engine.close()
    await server.stop()
  }

  @Test func `the others are left out before a connection is made`() throws {
    let filter = AddressFilter(policy: AddressPolicy { $0.bytes == [127, 0, 0, 1] })
    let texts = ["127.0.0.2", "::1", "127.0.0.1", "127.0.0.3"]
    let found = try texts.map { try SocketAddress(ipAddress: $0, port: 1) }
    let origin = try Request("http://api.example/").origin
    #expect(try filter.allowed(found, of: origin).map(\.ipAddress) == ["127.0.0.1"])
  }

  @Test func `a name that leads elsewhere later is checked again`() async throws {
    let server = try await LoopbackServer.start()
    let engine = engine(["127.0.0.1"], ["127.0.0.2"], port: server.port)
    let request = try Request("http://api.example/get", headers: [.connection: "close"])
    #expect(try await engine.send(request).status == .ok)
    let error = await #expect(throws: MartletError.self) { try await engine.send(request) }
    #expect(error?.code == .addressNotAllowed)
    #expect(error?.message.contains("leads to 127.0.0.2:\(server.port), where") == true)
    #expect(server.connectionCount == 1)
    await engine.close()
    await server.stop()
  }
}
