// Compiled as an application would be: `import Martlet`, and no feature flag.

import Foundation
import Martlet
import MartletTesting
import Testing

/// What the article on cookies shows.
@Suite(.timeLimit(.minutes(5)))
struct CookieSampleTests {
  private struct Answer: Decodable, Sendable {
    var cookies: [String: String]
  }

  @Test func `cookies that are shared, made by hand, and kept in a file`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = try await LoopbackServer.start()
    let file = CookieFile(folder.appending(path: "cookies.txt"))
    let jar = CookieJar()
    try file.load(into: jar)
    let api = HTTPSessionManager(baseURL: server.url("/")) { $0.cookieJar = jar }
    let answer: Answer = try await api.get("cookies/set", parameters: ["a": "1"])
    #expect(answer.cookies == ["a": "1"])
    try jar.set(Cookie(name: "theme", value: "dark", domain: "example.com", isHostOnly: false))
    #expect(jar.cookies(for: server.url("/")).map(\.name) == ["a"])
    try file.save(jar)
    jar.removeSessionCookies()
    #expect(jar.isEmpty)
    try file.load(into: jar)
    #expect(jar.cookies.map(\.value) == ["1", "dark"])
    jar.removeAll { $0.domain == "example.com" }
    let saved = try JSONEncoder().encode(jar.cookies)
    #expect(try JSONDecoder().decode([Cookie].self, from: saved) == jar.cookies)
    await server.stop()
  }
}
