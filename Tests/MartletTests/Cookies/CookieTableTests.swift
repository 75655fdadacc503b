import EssentialFoundation
import Foundation
import HTTPTypes
import MartletTesting
import MartletTransport
import NIOCore
import Testing

@testable import Martlet
@testable import MartletEssentials

/// The rules of RFC 6265bis, case by case.
@Suite(.timeLimit(.minutes(5)))
struct CookieTableTests {
  @Test(arguments: CookieCase.all)
  func `a jar keeps and sends what RFC 6265bis says`(_ rule: CookieCase) throws {
    let clock = TestClock()
    let jar = CookieJar { clock.now }
    jar.store(rule.head, from: try #require(URL(string: rule.setting)))
    clock.wait(rule.wait)
    let url = try #require(URL(string: rule.asking))
    #expect(jar.header(for: url) == rule.sent)
    #expect(jar.cookies(for: url).map(\.pair).joined(separator: "; ") == rule.sent ?? "")
    #expect(jar.cookies.count == rule.kept)
  }

  @Test(arguments: CookieCase.all)
  func `what a jar has kept, another can take, and sends it alike`(_ rule: CookieCase) throws {
    let clock = TestClock()
    let (jar, other) = (CookieJar { clock.now }, CookieJar { clock.now })
    jar.store(rule.head, from: try #require(URL(string: rule.setting)))
    let saved = try JSONEncoder().encode(jar.cookies)
    for cookie in try JSONDecoder().decode([Cookie].self, from: saved) { try other.set(cookie) }
    clock.wait(rule.wait)
    #expect(other.header(for: try #require(URL(string: rule.asking))) == rule.sent)
  }

  @Test func `the same holds over HTTP`() async throws {
    let rules = CookieCase.all.filter(\.isPortable)
    #expect(rules.count > 130)
    let server = try await LoopbackServer.start(router: Self.router(rules))
    let engine = HTTPTransport()
    for (number, rule) in rules.enumerated() {
      let api = Pipeline([CookieInterceptor(CookieJar())], transport: engine)
      var request = Request(url: server.place(rule.setting))
      try request.headers.append(name: "X-Case", value: String(number))
      _ = try await api.send(request)
      let answer = try await api.send(Request(url: server.place(rule.asking)))
      let text = String(buffer: try await answer.body.collect())
      #expect(text == rule.sent.map { "[\($0)]" } ?? "", "\(rule.testDescription)")
    }
  }

  @Test func `there are 150 cases and more, each but once`() {
    #expect(CookieCase.all.count >= 150)
    #expect(Set(CookieCase.all.map { "\($0)" }).count == CookieCase.all.count)
  }

  /// Sets what the case says that the request names, and says what cookies came.
  private static func router(_ rules: [CookieCase]) -> ServerRouter {
    ServerRouter([
      .any("/*") { request in
        let values = request.headers[values: .cookie]
        var response = ServerResponse.text(values.map { "[\($0)]" }.joined())
        let number = HTTPField.Name("X-Case").flatMap { request.headers[$0] }.flatMap { Int($0) }
        for field in number.map({ rules[$0].fields }) ?? [] {
          response.headers.append(HTTPField(name: .setCookie, value: field))
        }
        return response
      }
    ])
  }
}

extension CookieCase {
  var head: ResponseHead {
    var head = ResponseHead(status: .ok)
    for field in fields {
      head.headers.append(HTTPField(name: .setCookie, lenientValue: field.utf8))
    }
    return head
  }

  /// Whether a server on this machine can show it without waiting.
  fileprivate var isPortable: Bool {
    [setting, asking].allSatisfy { $0.hasPrefix(Self.local + "/") } && wait == 0
      && fields.allSatisfy(HTTPField.isValidValue)
  }
}

extension LoopbackServer {
  /// The place on this server that a case means.
  fileprivate func place(_ text: String) -> URL {
    url(String(text.dropFirst(CookieCase.local.count)))
  }
}

/// A clock that a test advances.
final class TestClock: Sendable {
  private let time = Locked(CookieCase.now)

  var now: Date { time.current }

  func wait(_ seconds: TimeInterval) {
    time.withLock { $0 += seconds }
  }
}
