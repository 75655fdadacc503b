import EssentialFoundation
import Foundation
import MartletCore
import MartletTesting
import NIOCore
import NIOPosix
import TestTiming
import Testing

@testable import MartletTransport

/// Connecting to the address that answers first (RFC 8305 §5).
@Suite(.timeLimit(.minutes(5)))
struct AddressRaceTests {
  private let tried = Locked<[String]>([])

  private var race: AddressRace {
    AddressRace(loop: MultiThreadedEventLoopGroup.singleton.next()) { [tried] event in
      if case .connecting(let address) = event { tried.withLock { $0.append(address) } }
    }
  }

  private func address(_ port: Int) throws -> SocketAddress {
    try SocketAddress(ipAddress: "127.0.0.1", port: port)
  }

  @Test func `an address that does not answer gets a head start of 250 ms`() async throws {
    let hanging = try ReservedPort.hanging()
    let server = try await LoopbackServer.start()
    let start = ContinuousClock.now
    let channel = try await race.run([address(hanging.port), address(server.port)])
    #expect(start.duration(to: .now) >= .milliseconds(250))
    #expect(channel.remoteAddress?.port == server.port)
    #expect(tried.current == ["127.0.0.1:\(hanging.port)", "127.0.0.1:\(server.port)"])
    try await channel.close()
    await server.stop()
  }

  @Test func `an address that refuses gives way at once`() async throws {
    let refusing = try ReservedPort.refusing()
    let server = try await LoopbackServer.start()
    var patient = race
    patient.attemptDelay = .seconds(60)
    let channel = try await patient.run([address(refusing.port), address(server.port)])
    #expect(channel.remoteAddress?.port == server.port)
    try await channel.close()
    await server.stop()
  }

  @Test func `an attempt that has lost is closed`() async throws {
    let server = try await LoopbackServer.start()
    var impatient = race
    impatient.attemptDelay = .zero
    let channel = try await impatient.run([address(server.port), address(server.port)])
    try await server.waitForOpenConnections(1)
    try await channel.close()
    try await server.waitForOpenConnections(0)
    await server.stop()
  }

  @Test func `when all attempts have failed the last error is thrown`() async throws {
    let first = try ReservedPort.refusing()
    let second = try ReservedPort.refusing()
    await #expect(throws: (any Error).self) {
      try await race.run([address(first.port), address(second.port)])
    }
    #expect(tried.current.count == 2)
  }

  @Test func `when all attempts have failed the delay between them is not waited for`() async throws
  {
    let first = try ReservedPort.refusing()
    let second = try ReservedPort.refusing()
    var patient = race
    patient.attemptDelay = .seconds(600)
    let start = ContinuousClock.now
    await #expect(throws: (any Error).self) {
      try await patient.run([address(first.port), address(second.port)])
    }
    #expect(start.duration(to: .now) < .seconds(600))
  }

  @Test func `a race that is called off names no address that it has not tried`() async throws {
    let hanging = try [ReservedPort.hanging(), ReservedPort.hanging()]
    let places = try hanging.map { try address($0.port) }
    var patient = race
    patient.attemptDelay = .seconds(60)
    let task = Task { [patient] in try await patient.run(places) }
    try await eventually { !tried.current.isEmpty }
    task.cancel()
    _ = await task.result
    #expect(tried.current == ["127.0.0.1:\(hanging[0].port)"])
  }

  @Test func `a race that is called off ends at once`() async throws {
    let hanging = try ReservedPort.hanging()
    let place = try address(hanging.port)
    let task = Task { [race] in try await race.run([place]) }
    try await eventually { !tried.current.isEmpty }
    task.cancel()
    let result = await task.result
    #expect(throws: (any Error).self) { try result.get() }
  }
}
