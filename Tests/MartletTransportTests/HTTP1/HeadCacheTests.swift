import HTTPTypes
import MartletCore
import MartletTesting
import Testing

@testable import MartletTransport

/// What one head leaves behind for the next.
struct HeadCacheTests {
  @Test func `a head is read the same, whatever came before it`() throws {
    let lines = [
      "Server: a", "server: a", "Server: b", "Date: today", "Content-Length: 5", "X: ", "x: y",
      "Set-Cookie: a=1", "Set-Cookie: b=2", " folded", " twice", "Connection: close",
      // Equal to Swift, and yet not the same bytes.
      "Location: /\u{C5}", "Location: /A\u{30A}",
    ]
    var random = SeededGenerator(seed: 7)
    var memory = HeadCache()
    for _ in 0..<5_000 {
      let count = Int.random(in: 0...6, using: &random)
      let chosen = (0..<count).map { _ in lines.randomElement(using: &random) ?? "" }
      let status = Bool.random(using: &random) ? "HTTP/1.1 200 OK" : "HTTP/1.0 404 Gone"
      let text = ([status] + chosen + ["", ""]).joined(separator: "\r\n")
      let fresh = outcome(text, HeadCache())
      #expect(Array(outcome(text, &memory).utf8) == Array(fresh.utf8))
    }
  }

  @Test func `a name is delivered as it came, even when it differs in case alone`() throws {
    var memory = HeadCache()
    for name in ["Server", "server", "SERVER"] {
      let text = "HTTP/1.1 200 OK\r\nDate: d\r\n\(name): a\r\n\r\n"
      #expect(outcome(text, &memory) == "200 OK true Date=d \(name)=a")
    }
  }

  @Test func `what frames the message is what this head says`() throws {
    var memory = HeadCache()
    for length in ["5", "6", "5"] {
      let text = "HTTP/1.1 200 OK\r\nServer: s\r\nContent-Length: \(length)\r\n\r\n"
      #expect(try read(text, &memory).fields.contentLength == length)
    }
    #expect(try read("HTTP/1.1 200 OK\r\nServer: s\r\n\r\n", &memory).fields.contentLength == nil)
  }

  private func outcome(_ text: String, _ memory: HeadCache) -> String {
    var memory = memory
    return outcome(text, &memory)
  }

  private func outcome(_ text: String, _ memory: inout HeadCache) -> String {
    do throws(MartletError) {
      let head = try read(text, &memory)
      let fields = head.head.headers.map { "\($0.name.rawName)=\($0.value)" }
      return (["\(head.head.status)", "\(head.isHTTP11)"] + fields).joined(separator: " ")
    } catch {
      return error.message
    }
  }

  private func read(
    _ text: String, _ memory: inout HeadCache
  ) throws(MartletError) -> HeadParser.Head {
    try Array(text.utf8).withUnsafeBytes { bytes in
      Result { () throws(MartletError) in try HeadParser.head(bytes, &memory) }
    }.get()
  }
}
