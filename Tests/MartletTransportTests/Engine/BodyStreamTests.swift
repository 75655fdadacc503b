import EssentialFoundation
import MartletCore
import NIOCore
import NIOPosix
import TestTiming
import Testing

@testable import MartletTransport

/// The body between the event loop and its reader.
@Suite(.timeLimit(.minutes(5)))
struct BodyStreamTests {
  private let loop = MultiThreadedEventLoopGroup.singleton.any()
  private let goneOn = Locked(0)
  private let givenUp = Locked(0)

  private func makeStream() -> BodyStream {
    BodyStream(loop: loop, isDecided: true) { [goneOn] in
      goneOn.withLock { $0 += 1 }
    } cancel: { [givenUp] _ in
      givenUp.withLock { $0 += 1 }
    } deliver: { _, handler in
      handler(.success(nil))
    }
  }

  @Test func `the loop stops at 1 MiB and goes on when half of it is gone`() async throws {
    let stream = makeStream()
    let chunk = ByteBuffer(repeating: 1, count: 256 << 10)
    let answers = (0..<4).map { _ in stream.receive(chunk) }
    #expect(answers == [true, true, true, false])
    _ = try await stream.next()
    #expect(goneOn.current == 0)
    _ = try await stream.next()
    #expect(goneOn.current == 1)
  }

  @Test func `a body that has ended is read without its loop`() async throws {
    let asked = Locked(0)
    let stream = BodyStream(loop: loop, isDecided: false) { [goneOn] in
      goneOn.withLock { $0 += 1 }
    } cancel: { [givenUp] _ in
      givenUp.withLock { $0 += 1 }
    } deliver: { _, handler in
      asked.withLock { $0 += 1 }
      handler(.success(nil))
    }
    let chunk = ByteBuffer(repeating: 1, count: 512 << 10)
    for _ in 0..<2 { _ = stream.receive(chunk) }
    stream.finish(.failure(.shutDown))
    #expect(try await stream.deliver(.buffer(limit: 1)) == nil)
    for _ in 0..<2 { #expect(try await stream.next() == chunk) }
    let reader = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await stream.next()
    }
    let error = await #expect(throws: MartletError.self) { try await reader.value }
    #expect(error?.code == .shutDown)
    #expect(asked.current + goneOn.current + givenUp.current == 0)
  }

  @Test func `a caller counts until the destination of its body is decided`() async throws {
    let callers = OutsideWork()
    let handlers = Locked<[BodyStream.DeliveryHandler]>([])
    let stream = BodyStream(loop: loop, callers: callers, isDecided: false) {
    } cancel: { _ in
    } deliver: { _, handler in
      handlers.withLock { $0.append(handler) }
    }
    let caller = Task { try await stream.deliver(.buffer(limit: 1)) }
    try await eventually { !handlers.current.isEmpty }
    #expect(!callers.isIdle)
    for handler in handlers.current { handler(.success(nil)) }
    #expect(try await caller.value == nil)
    #expect(callers.isIdle)
  }

  @Test func `what comes after the stop keeps little beside itself`() async throws {
    let stream = makeStream()
    _ = stream.receive(ByteBuffer(repeating: 1, count: 1 << 20))
    let read = ByteBuffer(repeating: 2, count: 256 << 10)
    _ = stream.receive(try #require(read.getSlice(at: 0, length: 16 << 10)))
    for _ in 0..<100 { _ = stream.receive(try #require(read.getSlice(at: 0, length: 10))) }
    _ = try await stream.next()
    let frame = try #require(try await stream.next())
    #expect(frame == ByteBuffer(repeating: 2, count: 16 << 10))
    #expect(frame.storageCapacity <= 64 << 10)
    let rest = try #require(try await stream.next())
    #expect(rest == ByteBuffer(repeating: 2, count: 1_000))
    #expect(rest.storageCapacity <= 4 << 10)
  }

  @Test func `bytes that come in after the stop do not make the reader forget to go on`()
    async throws
  {
    let stream = makeStream()
    let chunk = ByteBuffer(repeating: 1, count: 256 << 10)
    for _ in 0..<4 { _ = stream.receive(chunk) }
    _ = try await stream.next()
    #expect(!stream.receive(ByteBuffer(string: "late")))
    for _ in 0..<4 { _ = try await stream.next() }
    #expect(goneOn.current == 1)
  }

  @Test func `a reader that waits receives all that the loop has read at once`() async throws {
    let stream = makeStream()
    async let first = stream.next()
    // Whether the reader waits already does not matter.
    await Task.yield()
    try await loop.submit {
      for text in ["a", "b", "c"] { _ = stream.receive(ByteBuffer(string: text)) }
      stream.finish(.success(ResponseBody.Completion()))
    }.get()
    var chunks = [try await first]
    for _ in 1...3 { chunks.append(try await stream.next()) }
    #expect(chunks.map { $0.map { String(buffer: $0) } } == ["a", "b", "c", nil])
  }

  @Test func `a reader that waits makes room for one chunk, and not for all`() async throws {
    let stream = makeStream()
    async let first = stream.next()
    try await eventually { stream.isAwaited }
    let hasRoom = try await loop.submit {
      (0..<5).map { _ in stream.receive(ByteBuffer(repeating: 1, count: 256 << 10)) }
    }.get()
    #expect(hasRoom == [true, true, true, true, false])
    _ = try await first
    #expect(goneOn.current == 0)
    for _ in 1...2 { _ = try await stream.next() }
    #expect(goneOn.current == 1)
  }

  @Test func `what has been received is handed out before the end or the error`() async throws {
    let stream = makeStream()
    _ = stream.receive(ByteBuffer(string: "a"))
    stream.finish(.failure(.cancelled))
    #expect(try await stream.next() == ByteBuffer(string: "a"))
    await #expect {
      try await stream.next()
    } throws: { ($0 as? MartletError)?.code == .cancelled }
  }

  @Test func `a stream that is dropped before its end is given up, and only then`() {
    let stream = makeStream()
    stream.abandon()
    #expect(givenUp.current == 1)
    let complete = makeStream()
    complete.finish(.success(ResponseBody.Completion()))
    complete.abandon()
    #expect(givenUp.current == 1)
  }
}
