import Foundation
import NIOCore
import TestTiming
import Testing

/// A slow TCP proxy in front of the servers, and its record of the bytes that have arrived.
final class SlowProxy {
  /// Bytes that have arrived from one side of a connection.
  struct Arrival: Decodable {
    let time: UInt64
    let connection: Int
    /// How many bytes have arrived from the client; `nil` if they are from the server.
    let up: Int?
    /// How many bytes have arrived from the server; `nil` if they are from the client.
    let down: Int?

    /// When they have arrived.
    var deadline: NIODeadline { .uptimeNanoseconds(time) }
  }

  private struct Start: Decodable {
    let port: Int
  }

  /// The port on which it listens.
  let port: Int
  private let record: URL
  private let process: ChildProcess

  init(_ scene: SlowScene, _ network: SlowNetwork) async throws {
    let record = network.folder.appendingPathComponent("\(UUID()).record")
    let text = String(decoding: try JSONEncoder().encode(scene), as: UTF8.self)
    process = try network.start(["python3", "Tests/Interop/slow_proxy.py", record.path, text])
    try await eventually { (try? Self.lines(record).first) != nil }
    port = try JSONDecoder().decode(Start.self, from: try #require(Self.lines(record).first)).port
    self.record = record
  }

  /// Ends the proxy and its connections.
  func stop() { process.stop() }

  /// What has arrived so far, in order.
  var arrivals: [Arrival] {
    get throws {
      try Self.lines(record).dropFirst().map { try JSONDecoder().decode(Arrival.self, from: $0) }
    }
  }

  /// The lines that have been written whole.
  private static func lines(_ file: URL) throws -> [Data] {
    let data = try Data(contentsOf: file)
    let end = data.lastIndex(of: UInt8(ascii: "\n")) ?? data.startIndex
    return data[..<end].split(separator: UInt8(ascii: "\n"))
  }
}

extension SlowNetwork {
  /// Does some work through a proxy, which ends afterwards.
  func withProxy<Value>(
    _ scene: SlowScene, _ work: (SlowProxy) async throws -> Value
  ) async throws -> Value {
    let proxy = try await SlowProxy(scene, self)
    defer { proxy.stop() }
    return try await work(proxy)
  }
}
