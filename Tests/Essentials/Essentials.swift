import EssentialFoundation
import MartletCore

@testable import MartletCore
@testable import MartletEssentials

/// What differs where only the essentials of Foundation are linked: host names, URLs, charsets and formats, by the tables
/// of the tests.
@main
enum Essentials {
  private static let count = Locked(0)
  private static let failures = Locked<[String]>([])

  static func main() {
    check("a program without Martlet", FoundationExtras.current == nil, true)
    hostNames()
    charsets()
    formats()
    for failure in failures.current { print(failure) }
    print("\(count.current) cases, \(failures.current.count) failed")
    exit(failures.current.isEmpty ? 0 : 1)
  }

  private static func check<Value: Equatable>(_ name: String, _ value: Value, _ expected: Value) {
    count.withLock { $0 += 1 }
    guard value != expected else { return }
    failures.withLock { $0.append("\(name): \(value), expected \(expected)") }
  }

  private static func hostNames() {
    for (name, ascii) in HostNameCases.mapped { check(name, InternationalName.ascii(name), ascii) }
    for name in HostNameCases.refused { check(name, InternationalName.ascii(name), nil) }
    for (url, host) in HostNameCases.hosts {
      check(url, try? Request(.get, url).origin.host, host)
      // As an application makes it: Foundation escapes what it cannot convert.
      check(url, URL(string: url).flatMap { try? Origin(of: $0).host }, host)
    }
    for row in URLCase.all {
      check(row.text, try? URL(escaping: row.text).absoluteString, row.url)
    }
  }

  private static func charsets() {
    for (charset, bytes, text) in CharsetCases.all {
      let read = try? TextEncoding(of: bytes, charset: charset).text(of: Data(bytes))
      check("\(charset) \(bytes)", read, text)
    }
    check("bytes", CharsetConversion.bytes(of: "a€", in: .windowsCP1252), Data([0x61, 0x80]))
    check("no bytes", CharsetConversion.bytes(of: "日", in: .windowsCP1252), nil)
  }

  private static func formats() {
    check("date", HTTPDate.seconds(of: "Sun, 06 Nov 1994 08:49:37 GMT"), 784_111_777)
    check("numbers", "\(JSON.array([1, 2.5, .double(1e300), .double(0.1)]))", "[1,2.5,1e+300,0.1]")
    check("JSON", try? JSON(parsing: Data("{\"a\":[1e3,\"é\"]}".utf8)), ["a": [1000.0, "é"]])
    check(
      "agent", DefaultHeaders.userAgent(program: "Wetter-Büro", version: "2", system: "Linux"),
      "Wetter-Buro/2 (Linux)")
    let date = Parameters.date(Date(timeIntervalSince1970: 1.5))
    check(
      "query", try? queryString(from: ["d": date, "t": true, "n": 2.0]), "d=1.5&n=2&t=1"
    )
  }
}
