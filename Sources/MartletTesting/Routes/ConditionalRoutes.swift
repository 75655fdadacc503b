import HTTPTypes

extension Router {
  /// Validators and caches (RFC 9110 §13, RFC 9111).
  static let conditionalRoutes: [Route] = [
    .get("/etag/:etag", handler: tagged),
    .get("/cache") { request in
      guard request.headers[.ifModifiedSince] == nil, request.headers[.ifNoneMatch] == nil else {
        return ServerResponse(.notModified)
      }
      var response = try ServerResponse.json(Echo(request).message)
      response.headers[.lastModified] = HTTPDate.now
      response.headers[.eTag] = "\"\(UInt64.random(in: 0 ... .max))\""
      return response
    },
    .get("/cache/:seconds") { request in
      let seconds = try request.integer("seconds", in: 0...(1 << 31))
      var response = try ServerResponse.json(Echo(request).message)
      response.headers[.cacheControl] = "public, max-age=\(seconds)"
      return response
    },
    .any("/response-headers", handler: fields),
  ]

  private static let tagged: Route.Handler = { request in
    let tag = "\"\(request.text("etag"))\""
    guard HTTPField.isValidValue(tag) else {
      throw Refusal.badRequest("The tag cannot stand in a header.")
    }
    var response = try ServerResponse.json(Echo(request).message)
    if let list = request.headers[.ifNoneMatch] {
      if EntityTags(list).match(tag) { response = ServerResponse(.notModified) }
    } else if let list = request.headers[.ifMatch], !EntityTags(list).match(tag) {
      response = ServerResponse(.preconditionFailed)
    }
    response.headers[.eTag] = tag
    return response
  }

  /// The query's items as header fields and as JSON; framing stays the server's.
  private static let fields: Route.Handler = { request in
    var response = ServerResponse(headers: [.contentType: "application/json"])
    for (name, value) in request.query {
      guard let name = HTTPField.Name(name), HTTPField.isValidValue(value) else {
        throw Refusal.badRequest("“\(name)” with this value cannot be a header.")
      }
      let isContentType = name == .contentType
      if isContentType { response.headers[.contentType] = nil }
      response.headers.append(HTTPField(name: name, value: value))
    }
    let pairs = response.headers.map { (name: $0.name.rawName, value: $0.value) }
    response.body = try ServerResponse.json(Echo.flattened(pairs)).body
    return response
  }
}

/// The list of tags in `If-Match` and `If-None-Match`. httpbin's clients write them without quotes, too.
struct EntityTags {
  private let tags: [Substring]

  init(_ field: String) {
    tags = field.split(separator: ",").map { Self.bare($0) }
  }

  func match(_ tag: String) -> Bool {
    tags.contains { $0 == "*" || $0 == Self.bare(tag[...]) }
  }

  private static func bare(_ tag: Substring) -> Substring {
    var tag = tag.drop { $0 == " " }
    if tag.hasPrefix("W/") { tag = tag.dropFirst(2) }
    tag = tag.drop { $0 == "\"" }
    while tag.last == "\"" || tag.last == " " { tag.removeLast() }
    return tag
  }
}
