import Foundation
import Martlet
import NIOCore
import Testing

/// Where the servers are.
private let baseURL = ProcessInfo.processInfo.environment["HTTP2_BASE_URL"].flatMap {
  URL(string: $0)
}

/// Many exchanges at once over HTTP/2 with servers that Martlet shares no code with.
///
/// `scripts/interop-http2` starts them, and says where they are and what files they serve.
@Suite(.enabled(if: baseURL != nil), .timeLimit(.minutes(5)))
struct HTTP2ServerTests {
  private let api: HTTPSessionManager
  private let files: URL

  init() throws {
    files = URL(
      fileURLWithPath: try #require(ProcessInfo.processInfo.environment["HTTP2_FILES"]))
    api = HTTPSessionManager(baseURL: baseURL) { [files] in
      if baseURL?.scheme == "http" { $0.versions = .http2 }
      $0.tls.roots = .file(files.appending(path: "authority.pem"))
    }
  }

  private func data(_ name: String) throws -> Data {
    try Data(contentsOf: files.appending(path: "data").appending(path: name))
  }

  /// How many connections carried these responses.
  private func connections(_ responses: [Response]) -> Int {
    Set(responses.compactMap { $0.metrics.connection.map { ObjectIdentifier($0) } }).count
  }

  @Test func `thousands of requests share few connections, and none is lost`() async throws {
    let text = try data("text.txt")
    let requests = try (0..<3000).map { _ in try api.request(.get, "text.txt") }
    var responses: [Response] = []
    for await outcome in api.send(requests, maximumConcurrent: 200) {
      let response = try outcome.response
      #expect(response.metrics.connection?.protocolName.hasPrefix("h2") == true)
      #expect(Data(try await response.body.collect().readableBytesView) == text)
      responses.append(response)
    }
    #expect(responses.count == 3000)
    #expect(connections(responses) <= 30)
  }

  @Test func `bodies larger than the windows go both ways at once`() async throws {
    let requests = try (0..<20).map { number in
      var request = try api.request(.post, "reflect")
      request.body = RequestBody.bytes(
        ByteBuffer(repeating: UInt8(number), count: 1_000_000 + number))
      return request
    }
    var index = 0
    for await outcome in api.send(requests, maximumConcurrent: 20).inOrder {
      let bytes = try await outcome.response.body.collect()
      #expect(bytes == ByteBuffer(repeating: UInt8(index), count: 1_000_000 + index))
      index += 1
    }
    #expect(index == 20)
  }

  @Test func `a reader that stops holds up no other request, and loses nothing`() async throws {
    var request = try api.request(.get, "big.bin")
    request.delivery = .stream
    let response = try await api.send(request)
    var chunks = response.body.makeAsyncIterator()
    var received = ByteBuffer()
    if var first = try await chunks.next() { received.writeBuffer(&first) }
    let small = try (0..<100).map { _ in try api.request(.get, "text.txt") }
    for await outcome in api.send(small) { #expect(try outcome.response.status == .ok) }
    while var chunk = try await chunks.next() { received.writeBuffer(&chunk) }
    #expect(Data(received.readableBytesView) == (try data("big.bin")))
  }

  @Test func `what is given up leaves its connection to the others`() async throws {
    let requests = try (0..<60).map { number in
      var request = try api.request(.get, number % 2 == 0 ? "big.bin" : "text.txt")
      if number % 2 == 0 { request.delivery = .stream }
      return request
    }
    var responses: [Response] = []
    for await outcome in api.send(requests, maximumConcurrent: 20) where outcome.index % 2 == 1 {
      responses.append(try outcome.response)
    }
    #expect(responses.count == 30)
    #expect(responses.allSatisfy { $0.status == .ok })
    #expect(connections(responses) <= 10)
  }
}
