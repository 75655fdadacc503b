import EssentialFoundation
import Foundation
import MartletCore
import MartletTesting
import NIOCore

/// A scripted peer's end of one connection.
final class FrameConnection: Sendable {
  private let channel: any Channel
  private let observed: AwaitableValue<FrameLog>
  private let pings = Locked<UInt64>(0)

  init(_ channel: any Channel, _ log: AwaitableValue<FrameLog>) {
    self.channel = channel
    observed = log
  }

  /// What has come so far.
  var log: FrameLog { observed.current }

  /// Waits for the client's SETTINGS, and sends these and an acknowledgement.
  func greet(_ settings: KeyValuePairs<RawFrame.Setting, UInt32> = [:]) async throws {
    try await next(.settings)
    send(.settings(settings), .settingsAck)
  }

  // MARK: Receiving

  /// Takes the first frame of a kind out of what has come, as soon as there is one.
  @discardableResult
  func next(_ kind: RawFrame.Kind, on stream: UInt32? = nil) async throws -> RawFrame {
    let isWanted: @Sendable (RawFrame) -> Bool = {
      $0.kind == kind && (stream == nil || $0.stream == stream)
    }
    try await wait("\(kind) on \(stream.map(String.init) ?? "any stream")") {
      $0.frames.contains(where: isWanted)
    }
    let frame = observed.update { log in
      log.frames.firstIndex(where: isWanted).map { log.frames.remove(at: $0) }
    }
    guard let frame else { throw MartletError(.connectionLost, "Another took the \(kind).") }
    return frame
  }

  /// The next request's HEADERS.
  func request() async throws -> RawFrame { try await next(.headers) }

  /// Returns as soon as what has come is as wanted.
  func wait(_ what: String, until isMet: @escaping @Sendable (FrameLog) -> Bool) async throws {
    try await observed.wait(within: .seconds(30)) { log in
      let frames = log.frames.map { "\($0.kind)(\($0.stream))" }.joined(separator: ", ")
      return "Waited for \(what), but there is only: \(frames)\(log.isClosed ? ", closed" : "")."
    } until: {
      isMet($0)
    }
  }

  /// Returns when `count` bytes of DATA have come on a stream.
  func waitForData(_ count: Int, on stream: UInt32) async throws {
    try await wait("\(count) bytes on \(stream)") { $0.data[stream, default: 0] >= count }
  }

  /// Returns when the request on a stream has come whole, without trailers.
  func waitForEnd(of stream: UInt32) async throws {
    try await wait("the end of the request on \(stream)") { log in
      log.requests.contains { $0.stream == stream && $0.isComplete }
    }
  }

  /// Returns when the client has closed the connection.
  func closed() async throws {
    try await wait("the end") { $0.isClosed }
  }

  // MARK: Sending

  func send(_ frames: RawFrame...) { send(frames) }

  /// Sends frames in one write.
  func send(_ frames: [RawFrame]) {
    var bytes = ByteBuffer()
    for frame in frames {
      bytes.writeImmutableBuffer(frame.bytes)
      if frame.kind == .data { observed.update { $0.sent += frame.payload.readableBytes } }
    }
    send(bytes)
  }

  func send(_ bytes: ByteBuffer) {
    channel.writeAndFlush(bytes, promise: nil)
  }

  /// A whole response.
  func answer(_ stream: UInt32, _ text: String = "ok") {
    send(.headers(stream), .data(stream, text, end: true))
  }

  /// Returns when the client has dealt with all that it was sent, for it has answered a PING since,
  /// and has had time for what follows from it.
  func settle() async throws {
    for _ in 0..<5 {
      let number = pings.withLock { pings in
        pings += 1
        return pings
      }
      send(.ping(number))
      var answer = try await next(.ping)
      // After a silence, the client sends a PING of its own.
      while !answer.isAck { answer = try await next(.ping) }
      guard answer.payload == ByteBuffer(integer: number) else {
        throw MartletError(.malformedResponse, "A PING was answered with another.")
      }
    }
  }

  /// Stops taking bytes from the socket, or goes on.
  func setReading(_ isReading: Bool) async throws {
    try await channel.setOption(.autoRead, value: isReading).get()
  }

  /// Closes the connection with a TCP reset.
  func abort() async throws {
    try await channel.closeWithReset()
  }

  func close() async {
    try? await channel.close()
  }

  /// Closes the direction to the client.
  func closeOutput() async throws {
    try await channel.close(mode: .output)
  }
}
