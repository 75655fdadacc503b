import Dispatch
import EssentialFoundation
import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import MartletTransport
import NIOCore
import TestTiming
import Testing

/// Bodies that a writer of one's own takes; one at a time, for some of these writers block a thread.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ResponseBodyWriterTests {
  /// Writes down what happens to it, and fails at a given byte.
  private final class Recorder: ResponseBodyWriter {
    struct Full: Error {}

    let url = URL(fileURLWithPath: "/recorded")
    let log = Locked<[String]>([])
    let bytes = Locked(ByteBuffer())
    private let room: Int

    init(room: Int = .max) {
      self.room = room
    }

    func write(_ chunks: [ByteBuffer]) throws {
      try bytes.withLock { bytes in
        for chunk in chunks {
          guard bytes.readableBytes + chunk.readableBytes <= room else { throw Full() }
          bytes.writeImmutableBuffer(chunk)
        }
      }
    }

    func complete() throws { log.withLock { $0.append("complete") } }
    func abandon() { log.withLock { $0.append("abandon") } }
    func close() { log.withLock { $0.append("close") } }
  }

  private func send(_ url: URL, to recorder: Recorder) async throws -> Response {
    var request = Request(url: url)
    request.delivery = Delivery(.writer(recorder))
    return try await HTTPTransport().send(request)
  }

  private func send(_ path: String, to recorder: Recorder) async throws -> Response {
    let server = try await LoopbackServer.start()
    return try await send(server.url(path), to: recorder)
  }

  /// Blocks its thread until it is let go.
  private final class Slow: ResponseBodyWriter {
    let url = URL(fileURLWithPath: "/slow")
    let isWriting = AwaitableValue(false)
    let isCompleting = AwaitableValue(false)
    let mayWrite = DispatchSemaphore(value: 0)
    let mayComplete = DispatchSemaphore(value: 0)

    func write(_ chunks: [ByteBuffer]) throws {
      isWriting.update { $0 = true }
      mayWrite.wait()
      mayWrite.signal()
    }

    func complete() throws {
      isCompleting.update { $0 = true }
      mayComplete.wait()
    }

    /// Releases what waits for the end.
    func abandon() {
      isCompleting.update { $0 = true }
      mayWrite.signal()
    }

    func close() {}
  }

  @Test func `a disk that takes its time keeps no other exchange waiting`() async throws {
    let server = try await LoopbackServer.start()
    let engine = HTTPTransport()
    let writer = Slow()
    var request = Request(url: server.url("/range/100000"))
    request.delivery = Delivery(.writer(writer))
    let download = Task { [request] in try await engine.send(request) }
    try await writer.isWriting.wait { $0 }
    #expect(try await engine.send(Request(url: server.url("/get"))).status == .ok)
    writer.mayWrite.signal()
    try await writer.isCompleting.wait { $0 }
    #expect(try await engine.send(Request(url: server.url("/get"))).status == .ok)
    writer.mayComplete.signal()
    #expect(try await download.value.status == .ok)
  }

  @Test(arguments: [Wire.http1, .h2c])
  func `a disk that takes its time over what was given up keeps no other exchange waiting`(
    _ wire: Wire
  ) async throws {
    let (server, engine) = try await wire.start()
    let writer = ClingingWriter()
    defer { writer.mayClose.signal() }
    var request = Request(url: server.url("/range/10000000"))
    request.delivery = Delivery(.writer(writer))
    let call = Call()
    call.observe { [weak call] event in
      if case .bodyReceived = event.kind { call?.cancel() }
    }
    request.call = call
    let download = engine.begin(request)
    try await writer.log.wait { $0 == ["abandon", "close"] }
    #expect(try await engine.send(Request(url: server.url("/get"))).status == .ok)
    // The error is delivered within a second, though the writer has not let go.
    await #expect { try await download.value } throws: { ($0 as? MartletError)?.code == .cancelled }
    await server.stop()
  }

  @Test func `finishing a file is no silence of the server's`() async throws {
    let server = try await LoopbackServer.start()
    let status = try await unlessLate(by: Self.idle / 4) {
      let writer = Slow()
      let download = download(
        Request(url: server.url("/range/100000")), by: HTTPTransport(), to: writer)
      try await finish(writer)
      return try await download.value.status
    }
    #expect(status == .ok)
  }

  @Test func `nor is it over HTTP/2`() async throws {
    let peer = try await FramePeer.start()
    let status = try await unlessLate(by: Self.idle / 4) {
      let writer = Slow()
      let download = download(peer.get(), by: peer.engine(), to: writer)
      let connection = try await peer.accept()
      _ = try await connection.request()
      connection.answer(1)
      try await finish(writer)
      return try await download.value.status
    }
    #expect(status == .ok)
    await peer.stop()
  }

  @Test func `a body that waits for leave is not sent once the whole response has come`()
    async throws
  {
    struct BodySent: Error {}
    let server = try await ScriptedServer.start(
      Script([.readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), .stall]),
      repeatsLast: true)
    let status = try await unlessLate(by: .milliseconds(300)) {
      let produced = Locked(0)
      let body = RequestBody.producer(length: 5) { write in
        produced.withLock { $0 += 1 }
        try await write(ByteBuffer(string: "hello"))
      }
      var request = Request(.post, url: server.url(), body: body)
      request.options.expectsContinue = true
      let writer = Slow()
      request.delivery = Delivery(.writer(writer))
      writer.mayWrite.signal()
      let upload = HTTPTransport().begin(request)
      try await writer.isCompleting.wait { $0 }
      // Longer than leave is waited for.
      try await Task.sleep(for: .milliseconds(1_300))
      writer.mayComplete.signal()
      let status = try await upload.value.status
      guard produced.current == 0 else { throw BodySent() }
      return status
    }
    #expect(status == .ok)
    await server.stop()
  }

  private static let idle = Duration.seconds(1)

  private func download(_ request: Request, by engine: HTTPTransport, to writer: Slow) -> Task<
    Response, any Error
  > {
    var request = request
    request.delivery = Delivery(.writer(writer))
    request.options.timeouts = Timeouts(connect: .seconds(30), idle: Self.idle)
    writer.mayWrite.signal()
    return Task { [request] in
      // A response without a head does not complete.
      defer { writer.isCompleting.update { $0 = true } }
      return try await engine.send(request)
    }
  }

  /// Completes after longer than the limit, so that silence that counted would have ended the exchange.
  private func finish(_ writer: Slow) async throws {
    try await writer.isCompleting.wait { $0 }
    try await Task.sleep(for: Self.idle * 1.5)
    writer.mayComplete.signal()
  }

  @Test func `a writer gets all bytes, and then the call of complete`() async throws {
    let recorder = Recorder()
    let response = try await send("/range/2000000", to: recorder)
    #expect(response.body.file == recorder.url)
    #expect(recorder.bytes.current.readableBytes == 2_000_000)
    #expect(recorder.log.current == ["complete"])
  }

  @Test func `a writer without room ends the exchange, and is let go once`() async throws {
    let recorder = Recorder(room: 100_000)
    await #expect {
      try await send("/range/2000000", to: recorder)
    } throws: { error in
      let error = error as? MartletError
      return error?.code == .fileNotWritable && error?.underlying is Recorder.Full
    }
    try await eventually { recorder.log.current.last == "close" }
    #expect(recorder.log.current.filter { $0 == "close" }.count == 1)
    #expect(recorder.log.current.first == "abandon")
    #expect(recorder.bytes.current.readableBytes <= 100_000)
  }

  @Test func `what came before a connection is lost is handed over`() async throws {
    let server = try await ScriptedServer.start(
      .respond("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabcd"), repeatsLast: true)
    for _ in 0..<10 {
      let recorder = Recorder()
      await #expect {
        try await send(server.url(), to: recorder)
      } throws: { ($0 as? MartletError)?.code == .bodyTruncated }
      try await eventually { recorder.log.current == ["abandon", "close"] }
      #expect(recorder.bytes.current == ByteBuffer(string: "abcd"))
    }
  }
}
