extension Router {
  /// Fixed pages in several formats.
  static let pageRoutes: [Route] = [
    .get("/") { _ in page(title: "Martlet", "<p>A server for tests.</p>") },
    .get("/html") { _ in
      page(title: "The Martlet", "<p>A martlet has no feet and never lands.</p>")
    },
    .get("/xml") { _ in .text(slideShow, type: "application/xml") },
    .get("/json") { _ in
      try .json([
        "slideshow": [
          "author": "Ada Tern", "date": "May 2021", "title": "Birds of the Coast",
          "slides": [
            ["title": "Terns", "type": "all"],
            ["title": "Gulls", "type": "all", "items": ["Herring gull", "Kittiwake"]],
          ],
        ]
      ])
    },
    .get("/robots.txt") { _ in .text("User-agent: *\nDisallow: /deny\n", type: "text/plain") },
    .get("/deny") { _ in .text("This page is not for robots.\n", type: "text/plain") },
    .get("/encoding/utf8") { _ in
      page(title: "UTF-8", "<p>Zwölf große Vögel — δώδεκα πουλιά — двенадцать птиц — 十二羽の鳥 — 🐦</p>")
    },
    .get("/links/:n/:offset") { request in
      let count = try request.integer("n", in: 1...200)
      let offset = try request.integer("offset", in: 0...200)
      let links = (0..<count).map {
        $0 == offset ? "\($0)" : "<a href='/links/\(count)/\($0)'>\($0)</a>"
      }
      return page(title: "Links", links.joined(separator: " "))
    },
  ]

  private static func page(title: String, _ content: String) -> ServerResponse {
    .text(
      """
      <!DOCTYPE html>
      <html>
        <head><meta charset="utf-8"><title>\(title)</title></head>
        <body><h1>\(title)</h1>\(content)</body>
      </html>

      """, type: "text/html; charset=utf-8")
  }

  private static let slideShow = """
    <?xml version="1.0" encoding="utf-8"?>
    <!-- A sample -->
    <slideshow title="Birds of the Coast" date="May 2021" author="Ada Tern">
      <slide type="all"><title>Terns</title></slide>
      <slide type="all">
        <title>Gulls</title>
        <item>Herring gull</item>
        <item/>
      </slide>
    </slideshow>

    """
}
