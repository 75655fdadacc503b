import Foundation
import MartletCore
import MartletTesting
import MartletTransport
import NIOCore
import Testing

/// Bodies that a writer of one's own takes.
struct BodyWriterTests {
  /// Writes down what happens to it, and fails at a given byte.
  private final class Recorder: BodyWriter {
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

  @Test func `a writer gets all bytes, and then hears that it was all`() async throws {
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

  private func eventually(_ condition: () -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(30)
    while !condition() {
      try #require(ContinuousClock.now < deadline, "it did not happen within 30 s")
      try await Task.sleep(for: .milliseconds(1))
    }
  }
}
