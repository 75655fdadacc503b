import Martlet
import MartletTesting

/// A page with thousands of links, some of them broken, for LinkChecker.
struct LinkRoutes: Sendable {
  private static let count = 5000

  /// The port of a link that leads to no server.
  let closedPort: Int

  var list: [ServerRoute] {
    [
      .get("/links") { _ in .text(page, type: "text/html") },
      .get("/links/:number") { Self.link($0) },
    ]
  }

  private var page: String {
    let links = (1...Self.count).map { "<a href='/links/\($0)'>\($0)</a>\n" }
    return links.joined()
      + "<a href=\"http://127.0.0.1:\(closedPort)/\">no server</a> <a href=\"mailto:a@b.example\">mail</a>"
  }

  /// Answers a link: one in a thousand is broken, others are redirects, or do not allow HEAD.
  private static func link(_ request: ServerRequest) -> ServerResponse {
    let number = request.parameters["number"].flatMap { Int($0) } ?? 0
    if number % 1000 == 0 { return .text("Nothing is here.", status: .notFound) }
    if number == 1234 { return ServerResponse(.found, headers: [.location: "/links/1234"]) }
    if number % 100 == 1 {
      return ServerResponse(.found, headers: [.location: "/links/\(number + 1)"])
    }
    if number % 100 == 2, request.method == .head {
      return ServerResponse(.methodNotAllowed, headers: [.allow: "GET"])
    }
    return .text("Link \(number)")
  }
}
