import HTTPTypes
import MartletCore
import MartletTransport
import NIOCore
import Testing

/// How a request looks on the wire (RFC 9113 §8.3.1).
@Suite(.timeLimit(.minutes(5)))
struct RequestTests {
  @Test func `a peer may change the size of its table and of its frames (§6.5.2)`() async throws {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    let first = engine.begin(peer.get("/1"))
    let connection = try await peer.accept([.initialWindowSize: 1_000_000])
    _ = try await connection.request()
    connection.answer(1)
    _ = try await first.value
    for (stream, size) in [(3, 0), (5, 4_096), (7, 100)] as [(UInt32, UInt32)] {
      connection.send(.settings([.headerTableSize: size, .maxFrameSize: 100_000 + size]))
      try await connection.settle()
      let body = ByteBuffer(repeating: 0x78, count: 10_000)
      var request = peer.post(.bytes(body))
      request.headers[.userAgent] = "somebody"
      let next = engine.begin(request)
      let head = try await connection.request()
      #expect(head[":method"] == "POST")
      #expect(head["user-agent"] == "somebody")
      try await connection.waitForData(10_000, on: stream)
      connection.answer(stream)
      #expect(try await next.value.status == .ok)
    }
    await peer.stop()
  }

  @Test func `pseudo-headers come first, and Host becomes :authority`() async throws {
    let plain = try await sent { _ in }
    #expect(plain.fields.prefix(4).map(\.name) == [":method", ":scheme", ":authority", ":path"])
    #expect(plain[":method"] == "GET")
    #expect(plain[":scheme"] == "http")
    #expect(plain[":authority"]?.hasPrefix("127.0.0.1:") == true)
    #expect(plain[":path"] == "/a%20b?c=d")
    #expect(plain.isEnd)
    let named = try await sent { $0.headers[try .init(validating: "Host")] = "example.org" }
    #expect(named[":authority"] == "example.org")
    #expect(named["host"] == nil)
  }

  @Test func `what is said about a connection is left out (§8.2.2)`() async throws {
    let head = try await sent { request in
      for name in ["Connection", "Keep-Alive", "Proxy-Connection", "Transfer-Encoding", "Upgrade"] {
        request.headers[try .init(validating: name)] = "x"
      }
      request.headers[try .init(validating: "TE")] = "gzip"
      request.headers[try .init(validating: "X-Kept")] = "yes"
    }
    #expect(head.fields.dropFirst(4).map(\.name) == ["x-kept"])
    let te = try await sent { $0.headers[try .init(validating: "TE")] = "trailers" }
    #expect(te["te"] == "trailers")
  }

  @Test func `the length of a body is sent when it is known`() async throws {
    let known = try await sent { request in
      request.method = .post
      request.body = .text("hello")
      request.headers[.contentLength] = "99"
    }
    #expect(known.fields.filter { $0.name == "content-length" }.map(\.value) == ["5"])
    #expect(!known.isEnd)
    let unknown = try await sent { request in
      request.method = .post
      request.body = .producer(length: nil) { try await $0(ByteBuffer(string: "hello")) }
    }
    #expect(unknown["content-length"] == nil)
    #expect(unknown["transfer-encoding"] == nil)
    let empty = try await sent { $0.method = .post }
    #expect(empty["content-length"] == "0")
    #expect(empty.isEnd)
  }

  @Test func `a small body leaves with its head`() async throws {
    let peer = try await FramePeer.start()
    let task = peer.engine().begin(peer.post(.text("hello")))
    let connection = try await peer.accept()
    let head = try await connection.request()
    let data = try await connection.next(.data, on: 1)
    #expect(data.flight == head.flight)
    #expect(data.isEnd)
    connection.answer(1)
    #expect(try await task.value.status == .ok)
    await peer.stop()
  }

  private static let priorities: [(Request.Priority, String?, String?)] = [
    (.high, nil, "u=1"), (.medium, nil, nil), (.low, nil, "u=5"), (.high, "u=0, i", "u=0, i"),
  ]

  @Test(arguments: priorities)
  func `a priority is sent as RFC 9218 has it, unless the caller set one`(
    _ priority: Request.Priority, _ own: String?, _ told: String?
  ) async throws {
    let head = try await sent { request in
      request.call = Call(priority: priority)
      if let own { request.headers[try .init(validating: "Priority")] = own }
    }
    #expect(head.fields.filter { $0.name == "priority" }.map(\.value) == (told.map { [$0] } ?? []))
  }

  @Test func `a body waits for the server's leave when asked to (RFC 9110 §10.1.1)`() async throws {
    let peer = try await FramePeer.start()
    var request = peer.post(.text("hello"))
    request.options.expectsContinue = true
    let start = ContinuousClock.now
    let task = peer.engine().begin(request)
    let connection = try await peer.accept()
    #expect(try await connection.request()["expect"] == "100-continue")
    try await connection.settle()
    // After a second the body goes out all the same, and a busy machine may need that long to get here.
    #expect(connection.log.data[1] == nil || start.duration(to: .now) > .seconds(1))
    connection.send(.headers(1, [":status": "100"]))
    try await connection.waitForData(5, on: 1)
    connection.answer(1)
    #expect(try await task.value.status == .ok)
    await peer.stop()
  }

  @Test func `a refusal spares the body, and the connection`() async throws {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    let chunk = ByteBuffer(repeating: 0x78, count: 1_000)
    var request = peer.post(
      .producer(length: nil) { write in while true { try await write(chunk) } })
    request.options.expectsContinue = true
    let start = ContinuousClock.now
    let task = engine.begin(request)
    let connection = try await peer.accept()
    _ = try await connection.request()
    connection.send(.headers(1, [":status": "413"], end: true))
    #expect(try await task.value.status.code == 413)
    #expect(try await connection.next(.reset, on: 1).code == .noError)
    #expect(connection.log.data[1] == nil || start.duration(to: .now) > .seconds(1))
    let next = engine.begin(peer.get())
    _ = try await connection.next(.headers, on: 3)
    connection.answer(3)
    #expect(try await next.value.status == .ok)
    await peer.stop()
  }

  @Test func `a server that does not answer to an expectation is sent the body all the same`()
    async throws
  {
    let peer = try await FramePeer.start()
    var request = peer.post(.text("hello"))
    request.options.expectsContinue = true
    let task = peer.engine().begin(request)
    let connection = try await peer.accept()
    try await connection.waitForData(5, on: 1)
    connection.answer(1)
    #expect(try await task.value.status == .ok)
    await peer.stop()
  }

  @Test(arguments: [3, 12])
  func `a body of another length than announced resets its stream`(_ announced: Int64) async throws
  {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    let body = RequestBody.producer(length: announced) { try await $0(ByteBuffer(string: "hello")) }
    let task = engine.begin(peer.post(body))
    let connection = try await peer.accept()
    _ = try await connection.request()
    let error = await #expect(throws: MartletError.self) { try await task.value }
    #expect(
      error?.message
        == "The body was announced with \(announced) bytes but gave 5: the request was not completed."
    )
    #expect(try await connection.next(.reset, on: 1).code == .cancel)
    let next = engine.begin(peer.get())
    _ = try await connection.request()
    connection.answer(3)
    #expect(try await next.value.status == .ok)
    await peer.stop()
  }

  /// The head of a request as a peer sees it.
  private func sent(_ change: (inout Request) throws -> Void) async throws -> RawFrame {
    let peer = try await FramePeer.start()
    var request = peer.get("/a%20b?c=d")
    try change(&request)
    let task = peer.engine().begin(request)
    let connection = try await peer.accept()
    let head = try await connection.request()
    connection.answer(1)
    _ = try await task.value
    await peer.stop()
    return head
  }
}
