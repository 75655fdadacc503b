import EssentialFoundation
import HTTPTypes
import NIOCore

extension ServerRouter {
  /// Pages in several formats, and pages with any number of links.
  static let pageRoutes: [ServerRoute] = [
    .get("/") { _ in page(title: "Martlet", "<p>A server for tests.</p>") },
    .get("/html") { _ in
      page(title: "The Martlet", "<p>A martlet has no feet and never lands.</p>")
    },
    .get("/xml") { _ in .text(slideShow, type: "application/xml") },
    .get("/json") { _ in
      try .indentedJSON([
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

extension ServerRouter {
  /// Small values that are made for each request.
  static let textRoutes: [ServerRoute] = [
    .get("/uuid") { _ in try .indentedJSON(["uuid": UUID().uuidString.lowercased()]) },
    .get("/base64/:value") { request in
      let standard = request.text("value")
        .replacing("-", with: "+").replacing("_", with: "/")
      guard let data = Data(base64Encoded: standard) else {
        throw RouteError.badRequest("“\(standard)” is not base64.")
      }
      return ServerResponse(
        headers: [.contentType: "text/html; charset=utf-8"],
        body: .bytes(ByteBuffer(bytes: data)))
    },
  ]
}

extension ServerRouter {
  /// Images. A name after the format gives another URL for the same image. A number there is the size in bytes to which
  /// the image is padded.
  static let imageRoutes: [ServerRoute] = [
    .get("/image") { request in
      let accepted = request.headers[.accept]?.lowercased() ?? "image/png"
      for format in ImageFormat.allCases where accepted.contains(format.type) {
        return format.response()
      }
      let acceptsAnyImage = accepted.contains("image/*") || accepted.contains("*/*")
      guard acceptsAnyImage else {
        return .text("The image formats are PNG, JPEG and SVG.\n", status: .notAcceptable)
      }
      return ImageFormat.png.response()
    },
    .get("/image/:format") { try format($0).response() },
    .get("/image/:format/:name") { request in
      try format(request).response(size: Int(request.text("name")) ?? 0)
    },
  ]

  private static func format(_ request: ServerRequest) throws -> ImageFormat {
    guard let format = ImageFormat(rawValue: request.text("format")) else {
      throw RouteError(status: .notFound, reason: "The image formats are png, jpeg and svg.")
    }
    return format
  }
}

/// The image formats that are served.
private enum ImageFormat: String, CaseIterable {
  case png, jpeg, svg

  var type: String { self == .svg ? "image/svg+xml" : "image/\(rawValue)" }

  private var bytes: ByteBuffer {
    switch self {
    case .png: SampleImages.bytes(SampleImages.png)
    case .jpeg: SampleImages.bytes(SampleImages.jpeg)
    case .svg: ByteBuffer(string: SampleImages.svg)
    }
  }

  /// The image, padded to `size` bytes with spaces, which decoders ignore.
  func response(size: Int = 0) -> ServerResponse {
    let image = bytes
    let count = min(max(size, image.readableBytes), 1 << 30)
    return ServerResponse(
      headers: [.contentType: type],
      body: .producer(length: count) { write in
        try await write(image)
        var left = count - image.readableBytes
        while left > 0 {
          let size = min(left, 256 << 10)
          try await write(ByteBuffer(repeating: UInt8(ascii: " "), count: size))
          left -= size
        }
      })
  }
}

extension ServerRouter {
  /// Bodies with a content coding (RFC 9110 §8.4), whether the client accepts it or not.
  static let compressedRoutes: [ServerRoute] = [
    .get("/gzip") { try compressed($0, flag: "gzipped", coding: "gzip", .gzip) },
    .get("/deflate") { try compressed($0, flag: "deflated", coding: "deflate", .zlib) },
  ]

  private static func compressed(
    _ request: ServerRequest, flag: String, coding: String, _ format: Deflate.Format
  ) throws -> ServerResponse {
    let echo = Echo(request)
    var response = try ServerResponse.indentedJSON([
      flag: true, "headers": echo.headers, "method": request.method.rawValue,
      "origin": request.remoteAddress,
    ])
    if case .bytes(let bytes) = response.body {
      response.body = .bytes(try Deflate.compressed(bytes, as: format))
    }
    response.headers[.contentEncoding] = coding
    return response
  }
}

extension ServerRouter {
  /// Bodies that are generated while they are sent.
  static let bytesRoutes: [ServerRoute] = [
    .get("/bytes/:n") { request in
      let (bytes, count) = try randomBytes(request)
      return ServerResponse(
        headers: octets,
        body: .producer(length: count) { try await bytes.write(0..<count, in: 256 << 10, $0) })
    },
    .get("/stream-bytes/:n") { request in
      let (bytes, count) = try randomBytes(request)
      let size = try request.queryInteger("chunk_size", in: 1...(16 << 20)) ?? 10 << 10
      return ServerResponse(
        headers: octets,
        body: .producer(length: nil) { try await bytes.write(0..<count, in: size, $0) })
    },
    .get("/stream/:n") { request in
      let count = try request.integer("n", in: 0...100)
      return ServerResponse(
        headers: [.contentType: "application/json"],
        body: .producer(length: nil) { write in try await lines(count, request, write) })
    },
    .get("/drip", handler: drip),
  ]

  static let octets: HTTPFields = [.contentType: "application/octet-stream"]

  /// Random bytes from the `seed` in the query, or from a random seed, and their number, which is `n` in the path.
  private static func randomBytes(_ request: ServerRequest) throws -> (RepeatingBytes, Int) {
    let count = try request.integer("n", in: 0...(1 << 40))
    let seed = try request.queryInteger("seed", in: Int.min...Int.max)
    let bits = seed.map { UInt64(truncatingIfNeeded: $0) } ?? .random(in: 0 ... .max)
    return (.random(seed: bits, count: count), count)
  }

  private static func lines(
    _ count: Int, _ request: ServerRequest, _ write: ServerResponse.Writer
  ) async throws {
    for id in 0..<count { try await write(line(id, request)) }
  }

  private static func line(_ id: Int, _ request: ServerRequest) throws -> ByteBuffer {
    var object = Echo(request).message
    object["id"] = id
    return ByteBuffer(string: "\(try EchoedJSON(object).text([]))\n")
  }

  /// Asterisks, evenly spread over `duration` after a `delay`.
  private static let drip: ServerRoute.Handler = { request in
    let count = try request.queryInteger("numbytes", in: 1...(10 << 20)) ?? 10
    let duration = try request.querySeconds("duration", default: 2)
    let delay = try request.querySeconds("delay", default: 2)
    let code = try request.queryInteger("code", in: 200...999) ?? 200
    try await Task.sleep(for: delay)
    return ServerResponse(
      HTTPResponse.Status(code: code), headers: octets,
      body: .producer(length: count) { write in
        for _ in 0..<count {
          try await write(ByteBuffer(string: "*"))
          try await Task.sleep(for: duration / count)
        }
      })
  }
}
