import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import NIOCore
import NIOPosix
import Testing

@testable import MartletTransport

/// A body's way from its producer to the connection.
@Suite(.timeLimit(.minutes(5)))
struct BodyUploadTests {
  private static let chunk = ByteBuffer(repeating: 0x78, count: 128 << 10)

  @Test func `a producer that finds no room is ahead by what may wait, and no more`() async throws {
    let produced = AwaitableValue(0)
    let upload = Upload(
      .producer(length: nil) { write in
        while true {
          produced.update { $0 += 1 }
          try await write(Self.chunk)
        }
      })
    upload.start(room: 0)
    // One is with the connection, and of those that wait the fourth keeps its writer waiting; the one with the
    // connection may have been among them.
    try await produced.wait { $0 >= 4 }
    try await upload.sent.wait { $0 == 1 }
    try await upload.settle()
    #expect(produced.current <= 5)
    upload.cancel()
    #expect(upload.sent.current == 1)
  }

  @Test func `all that was written is sent before the end is reported`() async throws {
    let upload = Upload(
      .producer(length: 20 * Int64(Self.chunk.readableBytes)) { write in
        for _ in 0..<20 { try await write(Self.chunk) }
      })
    upload.start(room: 3)
    try await upload.sent.wait { $0 == 4 }
    try await upload.settle()
    #expect(upload.result.current == nil)
    upload.goOn(room: .max)
    try await upload.result.wait { $0 != nil }
    #expect(upload.sent.current == 20)
  }

  @Test func `one that is held sends neither more nor its end`() async throws {
    let mayGoOn = AwaitableValue(false)
    let upload = Upload(
      .producer(length: nil) { write in
        try await write(Self.chunk)
        try await mayGoOn.wait { $0 }
        try await write(Self.chunk)
      })
    upload.start(room: .max)
    try await upload.sent.wait { $0 == 1 }
    upload.hold()
    try await upload.settle()
    mayGoOn.update { $0 = true }
    try await upload.settle()
    #expect(upload.sent.current == 1)
    #expect(upload.result.current == nil)
    upload.goOn(room: .max)
    try await upload.result.wait { $0 != nil }
    #expect(upload.sent.current == 2)
  }

  @Test(.timeLimit(.minutes(1)))
  func `concurrent writes leave one after another, each chunk whole`() async throws {
    // Each is sent in two pieces, and each keeps its writer waiting.
    let count = 1 << 20
    let upload = Upload(
      .producer(length: 3 * Int64(count)) { write in
        async let first: Void = write(ByteBuffer(repeating: 1, count: count))
        async let second: Void = write(ByteBuffer(repeating: 2, count: count))
        async let third: Void = write(ByteBuffer(repeating: 3, count: count))
        _ = try await (first, second, third)
      })
    upload.start(room: 1)
    try await upload.sent.wait { $0 == 2 }
    try await upload.settle()
    upload.goOn(room: .max)
    try await upload.result.wait { $0 != nil }
    #expect(throws: Never.self) { try upload.result.current?.get() }
    var values: [UInt8] = []
    for value in upload.bytes.current.readableBytesView where value != values.last {
      values.append(value)
    }
    #expect(values.sorted() == [1, 2, 3])
    #expect(upload.bytes.current.readableBytes == 3 * count)
  }

  @Test(.timeLimit(.minutes(1)))
  func `an upload that is given up ends all writes that wait`() async throws {
    let ended = AwaitableValue(0)
    let upload = Upload(
      .producer(length: nil) { write in
        async let first: Void = Self.write(until: ended, write)
        async let second: Void = Self.write(until: ended, write)
        _ = await (first, second)
      })
    upload.start(room: 0)
    try await upload.sent.wait { $0 == 1 }
    try await upload.settle()
    upload.cancel()
    try await ended.wait { $0 == 2 }
  }

  private static func write(until ended: AwaitableValue<Int>, _ write: RequestBody.Writer) async {
    while (try? await write(chunk)) != nil {}
    ended.update { $0 += 1 }
  }

  @Test func `a producer that waits receives an error when the upload is cancelled`() async throws {
    let error = AwaitableValue<(any Error)?>(nil)
    let upload = Upload(
      .producer(length: nil) { write in
        do {
          while true { try await write(Self.chunk) }
        } catch let thrown {
          error.update { $0 = thrown }
        }
      })
    upload.start(room: 0)
    try await upload.sent.wait { $0 == 1 }
    try await upload.settle()
    upload.cancel()
    try await error.wait { $0 is CancellationError }
    #expect(upload.result.current == nil)
  }
}

/// An upload to a connection that has as much room as it is given.
///
/// Unchecked because `room` is touched on the loop alone.
private final class Upload: @unchecked Sendable {
  let sent = AwaitableValue(0)
  let bytes = AwaitableValue(ByteBuffer())
  let result = AwaitableValue<Result<HTTPFields?, MartletError>?>(nil)
  private let loop = MultiThreadedEventLoopGroup.singleton.next()
  private var room = 0
  private var upload: BodyUpload?

  init(_ body: RequestBody) {
    upload = BodyUpload(
      Request(.post, url: URL(fileURLWithPath: "/"), body: body),
      on: EngineExecutor(loop: loop, outsideWork: OutsideWork())
    ) { [weak self] chunk in
      guard let self else { return false }
      bytes.update { _ = $0.writeImmutableBuffer(chunk) }
      sent.update { $0 += 1 }
      room -= 1
      return room >= 0
    } finished: { [result] in
      let end = $0
      result.update { $0 = end }
    }
  }

  /// Begins, with room for so many chunks after which the next one finds none.
  func start(room: Int) {
    loop.execute { [self] in
      self.room = room
      upload?.start()
    }
  }

  func goOn(room: Int) {
    loop.execute { [self] in
      self.room = room
      upload?.resume()
    }
  }

  func hold() {
    loop.execute { self.upload?.pause() }
  }

  func cancel() {
    loop.execute { self.upload?.cancel() }
  }

  /// Returns when the loop has done what it had to do, a few times over.
  func settle() async throws {
    for _ in 0..<10 { try await loop.submit {}.get() }
  }
}
