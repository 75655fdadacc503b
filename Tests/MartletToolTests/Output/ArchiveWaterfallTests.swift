import EssentialFoundation
import MartletHAR
import Testing

@testable import MartletTool

/// The requests of a HAR file as lines with bars.
struct ArchiveWaterfallTests {
  private func lines(_ entries: String) throws -> [String] {
    let text = """
      {"log": {"version": "1.2", "creator": {"name": "a browser", "version": "9"}, "entries": [\(entries)]}}
      """
    let archive = try JSONDecoder().decode(HTTPArchive.self, from: Data(text.utf8))
    return ArchiveWaterfall(archive).lines(width: 70)
  }

  private func entry(
    _ date: String, _ time: String, status: Int = 200, url: String = "http://h/", note: String = ""
  ) -> String {
    """
    {"startedDateTime": "\(date)", "time": \(time), "cache": {}, "comment": "\(note)",
     "timings": {"send": 0, "wait": 1, "receive": 0},
     "request": {"method": "GET", "url": "\(url)", "httpVersion": "HTTP/1.1", "cookies": [],
       "headers": [], "queryString": [], "headersSize": -1, "bodySize": 0},
     "response": {"status": \(status), "statusText": "", "httpVersion": "HTTP/1.1", "cookies": [],
       "headers": [], "content": {"size": 1200, "mimeType": ""}, "redirectURL": "",
       "headersSize": -1, "bodySize": 1200}}
    """
  }

  @Test func `each entry has a bar from its begin to its end`() throws {
    let lines = try lines(
      entry("2026-11-25T10:00:00.000Z", "10") + ","
        + entry("2026-11-25T11:00:00.010+01:00", "10.04", url: "http://h/b"))
    #expect(
      lines == [
        "GET    200   1.2 kB       10.0 ms  ▕█████     ▏  http://h/",
        "GET    200   1.2 kB       10.0 ms  ▕    ██████▏  http://h/b",
        "2 requests, 2.4 kB, 20.0 ms",
      ])
  }

  @Test func `a request without a response shows its note`() throws {
    let lines = try lines(entry("2026-11-25T10:00:00Z", "3", status: 0, note: "refused"))
    #expect(lines[0].hasPrefix("GET    –  "))
    #expect(lines[0].hasSuffix("http://h/  (refused)"))
  }

  @Test(arguments: ["-5", "1e300", "0"])
  func `times that no program measures are bounded`(time: String) throws {
    let lines = try lines(entry("yesterday", time) + "," + entry("2026-11-25T10:00:00Z", "1"))
    #expect(lines.count == 3)
  }

  @Test func `control characters do not reach the terminal`() throws {
    let lines = try lines(entry("2026-11-25T10:00:00Z", "3", url: #"http://h/\u001b[2J"#))
    #expect(!lines[0].contains("\u{1b}"))
  }

  @Test func `an entry that took no time has a bar, too`() throws {
    #expect(
      try lines(entry("2026-11-25T10:00:00Z", "0"))[0]
        == "GET    200   1.2 kB        0.0 ms  ▕█         ▏  http://h/")
  }

  @Test func `an archive without entries is one line`() throws {
    #expect(try lines("") == ["0 requests, 0 B, 0.0 ms"])
  }
}
