import EssentialFoundation
import Foundation
import MartletCore
import NIOCore
import Testing

/// Where bodies are decoded, and how much at a time.
@Suite(.timeLimit(.minutes(5)))
struct DecodedBodyTests {
  private static let mainQueue = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  private static var isOnMainQueue: Bool { DispatchQueue.getSpecific(key: mainQueue) ?? false }

  /// Repeats every byte a thousand times, and notes where.
  private struct Thousandfold: ContentDecoder {
    let work: Locked<[Work]>
    var pending = 0

    struct Work: Sendable {
      let bytes: Int
      let wasOnMainQueue: Bool
    }

    mutating func decode(_ input: inout ByteBuffer, upTo limit: Int) throws -> ByteBuffer? {
      pending += 1000 * input.readableBytes
      input.moveReaderIndex(to: input.writerIndex)
      let count = min(pending, limit)
      guard count > 0 else { return nil }
      pending -= count
      let place = Work(bytes: count, wasOnMainQueue: DecodedBodyTests.isOnMainQueue)
      work.withLock { $0.append(place) }
      return ByteBuffer(repeating: 0, count: count)
    }

    mutating func finish() {}
  }

  /// Hands out chunks that are there already.
  private final class Chunks: ResponseBodySource {
    private let chunks: Locked<[Int]>

    init(_ sizes: [Int]) {
      chunks = Locked(sizes.reversed())
    }

    func next() async throws -> ByteBuffer? {
      chunks.withLock { $0.popLast() }.map { ByteBuffer(repeating: 0, count: $0) }
    }

    func abandon() {}
    var completion: ResponseBody.Completion? { nil }
  }

  private let work = Locked<[Thousandfold.Work]>([])
  private var decoding: ContentDecoderFactory {
    ContentDecoderFactory { [work] in Thousandfold(work: work) }
  }

  @MainActor
  @Test func `a large chunk of a stream is decoded away from the main actor`() async throws {
    try #require(Self.isOnMainQueue)
    let body = try ResponseBody(stream: Chunks([16 << 10])).decoded(by: decoding)
    for try await piece in body { #expect(piece.readableBytes <= 256 << 10) }
    #expect(work.current.map(\.bytes).reduce(0, +) == 1000 * (16 << 10))
    #expect(work.current.allSatisfy { !$0.wasOnMainQueue })
    #expect(Self.isOnMainQueue)
  }

  @MainActor
  @Test func `a small chunk that swells is decoded on the main actor up to 16 KiB only`()
    async throws
  {
    try #require(Self.isOnMainQueue)
    let body = try ResponseBody(stream: Chunks([100, 1])).decoded(by: decoding)
    for try await _ in body {}
    #expect(work.current.map(\.bytes) == [16 << 10, 100_000 - 16 << 10, 1000])
    #expect(work.current.map(\.wasOnMainQueue) == [true, false, true])
  }

  @MainActor
  @Test func `a body in memory that swells leaves the main actor, too`() async throws {
    try #require(Self.isOnMainQueue)
    let whole = try await decoding.decodedOffActor(ByteBuffer(repeating: 0, count: 100))
    #expect(whole.readableBytes == 100_000)
    #expect(work.current.map(\.wasOnMainQueue) == [true, false])
  }

  /// Has tasks run on the main queue, as an engine has them run on its thread.
  private final class MainQueue: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      DispatchQueue.main.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }

  @Test func `a task that prefers a thread does not decode there what is large`() async throws {
    let work = Task(executorPreference: MainQueue()) { [decoding] in
      let body = try ResponseBody(stream: Chunks([100, 1])).decoded(by: decoding)
      for try await _ in body {}
      _ = try await decoding.decodedOffActor(ByteBuffer(repeating: 0, count: 100))
    }
    try await work.value
    #expect(self.work.current.map(\.wasOnMainQueue) == [true, false, true, true, false])
  }

  @Test func `what a decoder leaves comes back with more behind it`() async throws {
    /// Takes two bytes at a time.
    struct Pairs: ContentDecoder {
      mutating func decode(_ input: inout ByteBuffer, upTo limit: Int) throws -> ByteBuffer? {
        input.readSlice(length: 2)
      }

      mutating func finish() {}
    }
    let body = try ResponseBody(stream: Chunks([3, 3])).decoded(
      by: ContentDecoderFactory { Pairs() })
    #expect(try await body.collect().readableBytes == 6)
  }
}
