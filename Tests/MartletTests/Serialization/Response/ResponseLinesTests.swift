import EssentialFoundation
import Foundation
import Martlet
import MartletTesting
import NIOCore
import Testing

/// What the lines of a body cost.
struct ResponseLinesTests {
  private struct Chunks: ResponseBodySource {
    let chunk: ByteBuffer
    let left: Locked<Int>

    func next() async throws -> ByteBuffer? {
      left.withLock { left in
        left -= 1
        return left < 0 ? nil : chunk
      }
    }

    func abandon() {}
    var completion: ResponseBody.Completion? { nil }
  }

  /// Returns the lines of a body that arrives in chunks.
  private func lines(_ chunks: [String], upTo limit: Int = 1 << 20) async throws -> [String] {
    let source = Pieces(left: Locked(chunks.map { ByteBuffer(string: $0) }))
    let response = Response(
      head: ResponseHead(status: .ok), url: try URL(escaping: "http://h/"),
      body: ResponseBody(stream: source))
    var lines: [String] = []
    for try await line in response.lines(upTo: limit) { lines.append(line) }
    return lines
  }

  private struct Pieces: ResponseBodySource {
    let left: Locked<[ByteBuffer]>

    func next() async throws -> ByteBuffer? {
      left.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }

    func abandon() {}
    var completion: ResponseBody.Completion? { nil }
  }

  @Test(
    arguments: [
      (["\na"], ["", "a"]), (["a\n\nb\n"], ["a", "", "b"]), (["a\r\nb\r\n"], ["a", "b"]),
      (["x\na", "b\n"], ["x", "ab"]), (["a", "\n", "b"], ["a", "b"]),
      (["a\r", "\nb"], ["a", "b"]),
      ([], []), (["\r\n"], [""]),
    ] as [([String], [String])])
  func `lines end in LF or CRLF, wherever the chunks end`(chunks: [String], expected: [String])
    async throws
  {
    #expect(try await lines(chunks) == expected)
  }

  @Test(
    arguments: [["12345\n"], ["12345"], ["12345", "\n"], ["1", "234", "5\n67890\n"]])
  func `a line has as many bytes as the limit allows`(chunks: [String]) async throws {
    #expect(try await lines(chunks, upTo: 5).first == "12345")
    let error = await #expect(throws: MartletError.self) { try await lines(chunks, upTo: 4) }
    #expect(error?.code == .bodyTooLarge)
  }

  @Test func `a line that is too long is an error before it ends`() async throws {
    let left = Locked(1000)
    let response = Response(
      head: ResponseHead(status: .ok), url: try URL(escaping: "http://h/"),
      body: ResponseBody(stream: Chunks(chunk: ByteBuffer(string: "12345"), left: left)))
    await #expect(throws: MartletError.self) {
      for try await _ in response.lines(upTo: 12) {}
    }
    #expect(left.current == 997)
  }

  @Test(arguments: [(0, true), (1, false)])
  func `a line has at most 1 MiB by default`(surplus: Int, isRead: Bool) async throws {
    let line = String(repeating: "x", count: 1 << 20 + surplus)
    let response = Response(
      head: ResponseHead(status: .ok), url: try URL(escaping: "http://h/"),
      body: ResponseBody(bytes: ByteBuffer(string: line + "\n")))
    let reading = Task { try await response.lines().reduce(into: []) { $0.append($1) } }
    switch await reading.result {
    case .success(let lines): #expect(isRead && lines == [line])
    case .failure(let error):
      #expect(!isRead && (error as? MartletError)?.code == .bodyTooLarge)
    }
  }

  @Test func `lines that were read take no memory`() async throws {
    // No chunk ends where a line ends.
    let chunk = ByteBuffer(string: "bc\n\(String(repeating: "x", count: 4000))\na")
    let response = Response(
      head: ResponseHead(status: .ok), url: try URL(escaping: "http://h/"),
      body: ResponseBody(stream: Chunks(chunk: chunk, left: Locked(1000))))
    var lines = response.lines().makeAsyncIterator()
    var (count, capacity) = (0, 0)
    while try await lines.next() != nil {
      count += 1
      let rest = Mirror(reflecting: lines).descendant("rest") as? ByteBuffer
      capacity = max(capacity, try #require(rest).storageCapacity)
    }
    #expect(count == 2001)
    #expect(capacity <= 16 << 10)
  }
}
