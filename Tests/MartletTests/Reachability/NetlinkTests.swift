import Foundation
import Testing

@testable import Martlet
@testable import MartletEssentials

/// The kernel's messages about the network. The captured ones are what a kernel said of a namespace with two
/// pairs of links, of which one is left out here.
struct NetlinkTests {
  private static let corpus = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().appending(path: "../../../Fuzz/Corpus/netlink")

  private static func captured(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: corpus.appending(path: name)))
  }

  private func snapshot(of bytes: [UInt8]) -> NetworkSnapshot {
    var snapshot = NetworkSnapshot()
    for message in NetlinkMessages(bytes[...]) {
      snapshot.add(message) { _, hardware in hardware == 772 ? .loopback : .wired }
    }
    return snapshot
  }

  @Test func `what a kernel said of its links, addresses and routes is understood`() throws {
    let bytes = try ["links", "addresses", "routes"].flatMap { try Self.captured($0) }
    let snapshot = snapshot(of: bytes)
    #expect(snapshot.links.map(\.interface.name) == ["lo", "gull", "tern"])
    #expect(snapshot.links.map(\.interface.kind) == [.loopback, .wired, .wired])
    #expect(snapshot.links.map(\.isRunning) == [true, true, true])
    let four = snapshot.addresses.filter { $0.bytes.count == 4 }
    #expect(four.map(\.bytes) == [[127, 0, 0, 1], [192, 0, 2, 2], [198, 51, 100, 2]])
    #expect(four.map(\.isRoutable) == [false, true, true])
    let ways: [([UInt8], String?)] = [
      (.anywhere4, "tern"), (.anywhere6, "tern"), ([192, 0, 2, 7], "tern"),
      ([10, 1, 1, 1], "tern"),
      ([127, 0, 0, 1], "lo"), (.localhost6, "lo"), ([192, 0, 2, 2], "lo"),
      ([203, 0, 113, 7], nil), ([198, 51, 100, 7], nil),
      (.six(0x20, 0x01, 0x0D, 0xB8, last: 7), "tern"),
    ]
    for (address, name) in ways {
      #expect(snapshot.interface(towards: address)?.name == name, "\(address)")
    }
  }

  @Test func `an answer ends with its last message, and others' messages are not in it`() throws {
    let bytes = try Self.captured("addresses")
    let whole = dump(1, Array(bytes.prefix(76)), Array(bytes.dropFirst(76)))
    #expect(whole.ends == [nil, .complete])
    #expect(whole.messages == 7)
    let other = dump(2, bytes)
    #expect(other.ends == [nil])
    #expect(other.messages == 0)
  }

  @Test func `an answer that was interrupted is recognized, and a refusal, too`() throws {
    var bytes = try Self.captured("addresses")
    bytes[6] |= 0x10
    #expect(dump(1, bytes).ends == [.interrupted])
    let refusal = message(kind: 2, [UInt8](repeating: 0xFF, count: 4))
    #expect(dump(1, refusal).ends == [.failed])
  }

  /// Adds pieces to the answer to a request, and returns how each one ends it.
  private func dump(
    _ sequence: UInt32, _ pieces: [UInt8]...
  ) -> (ends: [NetlinkDump.End?], messages: Int) {
    var dump = NetlinkDump(sequence: sequence)
    let ends = pieces.map { dump.add($0) }
    return (ends, dump.messages.count)
  }

  @Test func `addresses that may be duplicates do not count`() {
    for (flags, isTaken) in [(UInt32(0x80), false), (0x40, true), (0x08, true)] {
      let payload: [UInt8] =
        [2, 24, 0, 0, 2, 0, 0, 0] + attribute(1, [192, 0, 2, 2])
        + attribute(8, withUnsafeBytes(of: flags) { Array($0) })
      #expect(snapshot(of: message(kind: 20, payload)).addresses.isEmpty == isTaken)
    }
  }

  @Test func `on a line with two ends the address is ours, and not theirs`() {
    let payload: [UInt8] =
      [2, 32, 0, 0, 2, 0, 0, 0] + attribute(1, [10, 0, 0, 1]) + attribute(2, [10, 0, 0, 2])
    #expect(snapshot(of: message(kind: 20, payload)).addresses.map(\.bytes) == [[10, 0, 0, 2]])
  }

  @Test func `malformed messages are left out, whatever is wrong with them`() {
    let malformed: [[UInt8]] = [
      [], [1], Array(repeating: 0, count: 15), Array(repeating: 0xFF, count: 16),
      message(kind: 16, []), message(kind: 20, [2]), message(kind: 24, [2, 24, 0]),
      // A prefix longer than its address.
      message(kind: 24, [2, 33, 0, 0, 254, 0, 0, 1, 0, 0, 0, 0]),
      // A destination of the wrong size.
      message(kind: 24, [2, 8, 0, 0, 254, 0, 0, 1, 0, 0, 0, 0] + attribute(1, [10])),
      // A family that is none.
      message(kind: 20, [99, 24, 0, 0, 2, 0, 0, 0] + attribute(1, [192, 0, 2, 2])),
      // Attributes that claim to be longer than they are, or have no length at all.
      message(kind: 20, [2, 24, 0, 0, 2, 0, 0, 0, 200, 0, 1, 0, 1, 2, 3, 4]),
      message(kind: 20, [2, 24, 0, 0, 2, 0, 0, 0, 0, 0, 1, 0, 1, 2, 3, 4]),
    ]
    for bytes in malformed { #expect(snapshot(of: bytes) == NetworkSnapshot(), "\(bytes)") }
  }

  @Test func `no byte that changes, and none that is missing, does any harm`() throws {
    let bytes = try ["addresses", "routes"].flatMap { try Self.captured($0) }
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      var changed = bytes.prefix(Int.random(in: 0...bytes.count, using: &generator)).map { $0 }
      for _ in 0..<4 where !changed.isEmpty {
        changed[Int.random(in: changed.indices, using: &generator)] = .random(
          in: 0...255, using: &generator)
      }
      let snapshot = snapshot(of: changed)
      _ = snapshot.interface(towards: .anywhere4)
      _ = snapshot.interface(towards: .anywhere6)
    }
  }

  private func message(kind: UInt16, _ payload: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(number: UInt32(16 + payload.count))
    bytes.append(number: kind)
    bytes.append(number: UInt16(0))
    bytes.append(number: UInt32(1))
    bytes.append(number: UInt32(0))
    return bytes + payload
  }

  private func attribute(_ kind: UInt16, _ value: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(number: UInt16(4 + value.count))
    bytes.append(number: kind)
    return bytes + value
  }
}
