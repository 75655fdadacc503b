import EssentialFoundation
import Foundation
import MartletTesting
import NIOCore
import Testing

@testable import Martlet
@testable import MartletEssentials

/// How far decompression goes, and when it does not begin.
@Suite(.timeLimit(.minutes(5)))
struct DecompressionTests {
  /// A server that has one compressed body for every request.
  private func session(
    _ bytes: Int = 4 << 20, status: HTTPResponse.Status = .ok,
    limits: DecompressionInterceptor.Limits = DecompressionInterceptor.Limits(),
    seen: @escaping @Sendable (Request) -> Void = { _ in }
  ) throws -> URLSessionManager {
    let body = try Deflate.compressed(ByteBuffer(repeating: 0, count: bytes), as: .gzip)
    var configuration = SessionConfiguration()
    configuration.decompressionLimits = limits
    configuration.transport = InProcessTransport { request in
      seen(request)
      let head = ResponseHead(status: status, headers: [.contentEncoding: "gzip"])
      return Response(head: head, url: request.url, body: ResponseBody(bytes: body))
    }
    return URLSessionManager(configuration: configuration)
  }

  @Test func `a buffer's limit holds for what comes out of decompression`() async throws {
    var request = try Request(.get, "http://h/")
    request.delivery = .buffered(limit: 1 << 20)
    let session = try session()
    await #expect {
      try await session.send(request)
    } throws: { error in
      let error = error as? MartletError
      return error?.code == .bodyTooLarge
        && error?.message
          == "The body of the response is larger than 1048576 bytes: stream it, download it to a file, or raise the limit."
    }
    request.delivery = .buffered(limit: 4 << 20)
    #expect(try await session.send(request).body.bytes?.readableBytes == 4 << 20)
  }

  @Test func `the caller decides once about the delivery of a response`() async throws {
    let asked = Locked(0)
    var request = try Request(.get, "http://h/")
    request.delivery = Delivery { _ in
      asked.withLock { $0 += 1 }
      return .buffer(limit: 8 << 20)
    }
    #expect(try await session().send(request).body.bytes?.readableBytes == 4 << 20)
    #expect(asked.current == 1)
  }

  @Test func `the response to a request for a part is not decoded`() async throws {
    let asked = Locked<[String?]>([])
    let session = try session { request in
      asked.withLock { $0.append(request.headers[.acceptEncoding]) }
    }
    let request = try Request(.get, "http://h/", headers: [.range: "bytes=0-9"])
    let bytes = try #require(try await session.send(request).body.bytes)
    #expect(Array(bytes.readableBytesView.prefix(2)) == [0x1F, 0x8B])
    #expect(asked.current == [nil])
  }

  @Test func `a request asks for compression behind its own fields, and those below see it`()
    async throws
  {
    struct Reader: Interceptor {
      let seen: Locked<[String]>
      func prepare(_ request: inout Request, context: CallContext) -> RequestPreparation {
        seen.withLock { $0 += request.headers.map(\.name.rawName) }
        return .passThrough
      }
    }
    let seen = Locked<[String]>([])
    let server = try await ScriptedServer.start(.text("ok"))
    let api = HTTPSessionManager(baseURL: server.url("")) {
      $0.interceptors.perExchange = [Reader(seen: seen)]
    }
    let response = try await api.get("birds", headers: ["X-Last": "1"])
    let names = try #require(server.receivedRequests.first).headerLines.map {
      String($0.prefix { $0 != ":" })
    }
    #expect(names.suffix(2) == ["X-Last", "Accept-Encoding"])
    #expect(seen.current.suffix(2) == ["X-Last", "Accept-Encoding"])
    #expect(response.request?.headers[.acceptEncoding] == "gzip, deflate")
    await server.stop()
  }

  @Test func `a part that was not asked for is an error (RFC 9110 §15.3.7)`() async throws {
    let session = try session(status: .partialContent)
    let error = await #expect(throws: MartletError.self) {
      try await session.send(Request(.get, "http://h/"))
    }
    #expect(error?.code == .wrongRange)
  }

  @Test func `a part that proves to be the whole is decompressed`() async throws {
    let body = try Deflate.compressed(ByteBuffer(string: "tern"), as: .gzip)
    var configuration = SessionConfiguration()
    configuration.transport = InProcessTransport { request in
      let count = body.readableBytes
      let head = ResponseHead(
        status: .partialContent,
        headers: [
          .contentEncoding: "gzip", .contentLength: "\(count)",
          .contentRange: "bytes 0-\(count - 1)/\(count)",
        ])
      return Response(head: head, url: request.url, body: ResponseBody(bytes: body))
    }
    let session = URLSessionManager(configuration: configuration)
    let response = try await session.send(Request(.get, "http://h/"))
    #expect(response.body.bytes.map { String(buffer: $0) } == "tern")
  }

  // MARK: The ratio

  @Test(arguments: [Delivery.buffered, .stream])
  func `a body a thousand times its size is given up by default`(delivery: Delivery) async throws {
    var request = try Request(.get, "http://h/")
    request.delivery = delivery
    let session = try session(32 << 20)
    let error = await #expect(throws: MartletError.self) {
      _ = try await session.send(request).body.collect()
    }
    #expect(error?.code == .decompressionLimitExceeded)
    #expect(
      error?.message
        == "The gzip body was given up because it grew to more than 100 times its size: raise the limits of decompression if the server is to be trusted."
    )
  }

  @Test func `a file that swells without end is given up, and nothing of it stays`() async throws {
    let folder = try TemporaryFolder()
    let session = try session(32 << 20)
    let error = await #expect(throws: MartletError.self) {
      try await session.download(
        Request(.get, "http://h/x"), to: folder.url.appendingPathComponent("x"))
    }
    #expect(error?.message.contains("100 times its size") == true)
    #expect(try folder.names == [])
  }

  @Test func `up to its floor the ratio does not count`() async throws {
    let request = try Request(.get, "http://h/")
    let harmless = DecompressionInterceptor.Limits().ratioExemptSize
    let bytes = try await session(harmless).send(request).body.bytes
    #expect(bytes?.readableBytes == harmless)
    var limits = DecompressionInterceptor.Limits()
    limits.ratioExemptSize = 1 << 20
    let strict = try session(limits: limits)
    let error = await #expect(throws: MartletError.self) { try await strict.send(request) }
    #expect(error?.code == .decompressionLimitExceeded)
  }

  @Test(arguments: [
    (10_000_001, 100_000, true), (10_000_000, 100_000, false), (1_000_001, 1, true),
    (1_000_000, 1, false), (1_000_001, 0, true), (.max, .max, false), (.max, .max / 100 - 1, true),
  ])
  func `the ratio counts above its floor`(produced: Int, received: Int, isExceeded: Bool) {
    var limits = DecompressionInterceptor.Limits()
    limits.ratioExemptSize = 1_000_000
    #expect(limits.areExceeded(by: produced, from: received) == isExceeded)
    limits.ratio = .max
    #expect(!limits.areExceeded(by: produced, from: max(received, 1)))
  }

  @Test func `a body that swells to 16 MiB is streamed in pieces of at most 256 KiB`() async throws
  {
    var limits = DecompressionInterceptor.Limits()
    limits.ratio = 2000
    var request = try Request(.get, "http://h/")
    request.delivery = .stream
    var (total, largest) = (0, 0)
    for try await piece in try await session(16 << 20, limits: limits).send(request).body {
      total += piece.readableBytes
      largest = max(largest, piece.readableBytes)
    }
    #expect(total == 16 << 20)
    #expect(largest <= 256 << 10)
  }

  // MARK: Compressed more than once

  private func body(_ text: String, times: Int) throws -> ByteBuffer {
    try (0..<times).reduce(ByteBuffer(string: text)) { body, _ in
      try Deflate.compressed(body, as: .gzip)
    }
  }

  private func session(answering body: ByteBuffer, codings: String) -> URLSessionManager {
    var configuration = SessionConfiguration()
    configuration.transport = InProcessTransport { request in
      let head = ResponseHead(status: .ok, headers: [.contentEncoding: codings])
      return Response(head: head, url: request.url, body: ResponseBody(bytes: body))
    }
    return URLSessionManager(configuration: configuration)
  }

  @Test(arguments: [("gzip", 1), ("gzip, gzip", 2), ("identity , x-gzip,gzip", 2), (" GZIP ", 1)])
  func `what is compressed twice is decompressed twice`(codings: String, times: Int) async throws {
    let session = session(answering: try body("tern", times: times), codings: codings)
    let response = try await session.send(Request(.get, "http://h/"))
    #expect(response.body.bytes.map { String(buffer: $0) } == "tern")
  }

  @Test func `what is compressed over and over is given up`() async throws {
    let session = session(answering: try body("tern", times: 3), codings: "gzip, gzip, gzip")
    await #expect {
      try await session.send(Request(.get, "http://h/"))
    } throws: { error in
      let error = error as? MartletError
      return error?.code == .decompressionLimitExceeded
        && error?.message
          == "The gzip, gzip, gzip body was given up because it is compressed 3 times over: raise the limits of decompression if the server is to be trusted."
    }
  }

  @Test func `the ratio is that of the whole, however often a body is compressed`() async throws {
    let bomb = try Deflate.compressed(
      Deflate.compressed(ByteBuffer(repeating: 0, count: 32 << 20), as: .gzip), as: .gzip)
    let session = session(answering: bomb, codings: "gzip, gzip")
    await #expect {
      try await session.send(Request(.get, "http://h/"))
    } throws: { error in
      (error as? MartletError)?.message
        == "The gzip body was given up because it grew to more than 100 times its size: raise the limits of decompression if the server is to be trusted."
    }
  }
}
