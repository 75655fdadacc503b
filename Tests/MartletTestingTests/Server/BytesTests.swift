import CMartletZlib
import MartletTesting
import NIOCore
import Testing

@Suite(.timeLimit(.minutes(5)))
struct BytesTests {
  @Test func `bytes come with their length and depend on the seed only`() async throws {
    let server = try await LoopbackServer.start()
    let first = try await server.fetch("GET /bytes/300000?seed=7")
    let second = try await server.fetch("GET /stream-bytes/300000?seed=7&chunk_size=999")
    #expect(first["Content-Length"] == "300000")
    #expect(second["Transfer-Encoding"] == "chunked")
    #expect(first.body.readableBytes == 300_000)
    #expect(first.body == second.body)
    #expect(try await server.fetch("GET /bytes/300000?seed=8").body != first.body)
  }

  @Test func `no bytes are bytes, too`() async throws {
    let server = try await LoopbackServer.start()
    #expect(try await server.fetch("GET /bytes/0")["Content-Length"] == "0")
    #expect(try await server.fetch("GET /stream-bytes/0").body.readableBytes == 0)
  }

  @Test(arguments: [
    "/bytes/-1", "/bytes/x", "/bytes/99999999999999999999", "/stream-bytes/1?chunk_size=0",
  ])
  func `a size that cannot be is refused`(target: String) async throws {
    let server = try await LoopbackServer.start()
    #expect(try await server.fetch("GET \(target)").status == 400)
  }

  @Test func `a HEAD has the head of a GET and no body`() async throws {
    let server = try await LoopbackServer.start()
    let bytes = try await server.fetch("HEAD /bytes/1073741824")
    #expect(bytes["Content-Length"] == "1073741824")
    #expect(bytes.body.readableBytes == 0)
    #expect(try await server.fetch("HEAD /stream/3").body.readableBytes == 0)
  }

  @Test func `a stream has a line of JSON for each number`() async throws {
    let server = try await LoopbackServer.start()
    let lines = try await server.fetch("GET /stream/3").text.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[2].contains("\"id\":2"))
  }

  @Test func `a drip comes in time and with the status asked for`() async throws {
    let server = try await LoopbackServer.start()
    let clock = ContinuousClock.now
    let response = try await server.fetch("GET /drip?numbytes=4&duration=0.2&delay=0.1&code=203")
    #expect(clock.duration(to: .now) >= .milliseconds(200))
    #expect(response.status == 203)
    #expect(response.text == "****")
  }

  @Test(arguments: [
    ("bytes=5-9", 206, "fghij", "bytes 5-9/26"),
    ("bytes=20-", 206, "uvwxyz", "bytes 20-25/26"),
    ("bytes=-3", 206, "xyz", "bytes 23-25/26"),
    ("bytes=-99", 206, "abcdefghijklmnopqrstuvwxyz", "bytes 0-25/26"),
    ("bytes=24-99", 206, "yz", "bytes 24-25/26"),
    ("bytes=26-", 416, "", "bytes */26"),
    ("bytes=0-1,3-4", 200, "abcdefghijklmnopqrstuvwxyz", nil),
    ("bytes=9-5", 200, "abcdefghijklmnopqrstuvwxyz", nil),
    ("bytes=100-3", 200, "abcdefghijklmnopqrstuvwxyz", nil),
    ("lines=1-2", 200, "abcdefghijklmnopqrstuvwxyz", nil),
  ])
  func `a range is honoured`(field: String, status: Int, text: String, range: String?) async throws
  {
    let server = try await LoopbackServer.start()
    let response = try await server.fetch("GET /range/26", ["Range: \(field)"])
    #expect(response.status == status)
    #expect(response.text == text)
    #expect(response["Content-Range"] == range)
    #expect(response["Accept-Ranges"] == "bytes")
    #expect(response["ETag"] == "\"range26\"")
  }

  @Test func `a range of another version is not honoured`() async throws {
    let server = try await LoopbackServer.start()
    let fields = ["Range: bytes=5-", "If-Range: \"range27\""]
    #expect(try await server.fetch("GET /range/26", fields).status == 200)
    #expect(
      try await server.fetch("GET /range/26", [fields[0], "If-Range: \"range26\""]).status == 206)
  }

  @Test func `a long range starts at the right letter`() async throws {
    let server = try await LoopbackServer.start()
    let response = try await server.fetch("GET /range/200000", ["Range: bytes=130000-199999"])
    #expect(response.body.readableBytes == 70_000)
    #expect(response.text.hasPrefix("abcd"))
  }

  @Test(arguments: [
    ("/gzip", "gzip", "gzipped", Int32(31)), ("/deflate", "deflate", "deflated", 15),
  ])
  func `a compressed body can be inflated`(
    path: String, coding: String, flag: String, bits: Int32
  ) async throws {
    let server = try await LoopbackServer.start()
    let response = try await server.fetch("GET \(path)")
    #expect(response["Content-Encoding"] == coding)
    #expect(inflated(response.body, bits: bits).contains("\"\(flag)\" : true"))
  }

  private func inflated(_ bytes: ByteBuffer, bits: Int32) -> String {
    var (stream, input) = (z_stream(), Array(bytes.readableBytesView))
    var output = [UInt8](repeating: 0, count: 64 << 10)
    martlet_inflate_init(&stream, bits)
    defer { inflateEnd(&stream) }
    let count = input.withUnsafeMutableBufferPointer { source in
      output.withUnsafeMutableBufferPointer { target in
        (stream.next_in, stream.avail_in) = (source.baseAddress, UInt32(source.count))
        (stream.next_out, stream.avail_out) = (target.baseAddress, UInt32(target.count))
        return inflate(&stream, Z_FINISH) == Z_STREAM_END ? Int(stream.total_out) : 0
      }
    }
    return String(decoding: output[..<count], as: UTF8.self)
  }
}
