import HTTPTypes
import NIOCore

extension ServerRouter {
  /// Conditional requests (RFC 9110 §13), caching (RFC 9111), and header fields that the request chooses.
  static let conditionalRoutes: [ServerRoute] = [
    .get("/etag/:etag", handler: entityTagHandler),
    .get("/cache") { request in
      guard request.headers[.ifModifiedSince] == nil, request.headers[.ifNoneMatch] == nil else {
        return ServerResponse(.notModified)
      }
      var response = try ServerResponse.indentedJSON(Echo(request).message)
      response.headers[.lastModified] = HTTPDate.now
      response.headers[.eTag] = "\"\(UInt64.random(in: 0 ... .max))\""
      return response
    },
    .get("/cache/:seconds") { request in
      let seconds = try request.integer("seconds", in: 0...(1 << 31))
      var response = try ServerResponse.indentedJSON(Echo(request).message)
      response.headers[.cacheControl] = "public, max-age=\(seconds)"
      return response
    },
    .any("/response-headers", handler: responseFieldsHandler),
  ]

  private static let entityTagHandler: ServerRoute.Handler = { request in
    let tag = "\"\(request.text("etag"))\""
    guard HTTPField.isValidValue(tag) else {
      throw RouteError.badRequest("The tag is not a valid header field value.")
    }
    var response = try ServerResponse.indentedJSON(Echo(request).message)
    if let list = request.headers[.ifNoneMatch] {
      if EntityTags(list).match(tag) { response = ServerResponse(.notModified) }
    } else if let list = request.headers[.ifMatch], !EntityTags(list).match(tag) {
      response = ServerResponse(.preconditionFailed)
    }
    response.headers[.eTag] = tag
    return response
  }

  /// Answers with the query's items as header fields and as JSON. The server sets the framing fields itself.
  private static let responseFieldsHandler: ServerRoute.Handler = { request in
    var response = ServerResponse(headers: [.contentType: "application/json"])
    for (name, value) in request.query {
      guard let name = HTTPField.Name(name), HTTPField.isValidValue(value) else {
        throw RouteError.badRequest("“\(name)” with this value is not a valid header field.")
      }
      let isContentType = name == .contentType
      if isContentType { response.headers[.contentType] = nil }
      response.headers.append(HTTPField(name: name, value: value))
    }
    let pairs = response.headers.map { (name: $0.name.rawName, value: $0.value) }
    response.body = try ServerResponse.indentedJSON(Echo.flattened(pairs)).body
    return response
  }
}

/// The list of tags in `If-Match` and `If-None-Match`. Clients of httpbin may write them without quotes.
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

extension ServerRouter {
  /// The alphabet, repeated, whole or as a range (RFC 9110 §14).
  static let rangeRoutes: [ServerRoute] = [
    .get("/range/:n") { request in
      let count = try request.integer("n", in: 1...(1 << 40))
      let tag = "\"range\(count)\""
      let size = try request.queryInteger("chunk_size", in: 1...(16 << 20)) ?? 64 << 10
      let duration = try request.querySeconds("duration", default: 0)
      var response = ServerResponse(headers: octets)
      var range = 0..<count
      switch ByteRange(request, tag: tag, count: count) {
      case .whole: break
      case .part(let part):
        range = part
        response.status = .partialContent
        response.headers[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(count)"
      case .outside:
        response = ServerResponse(.rangeNotSatisfiable)
        response.headers[.contentRange] = "bytes */\(count)"
      }
      response.headers[.acceptRanges] = "bytes"
      response.headers[.eTag] = tag
      guard response.status != .rangeNotSatisfiable else { return response }
      let pause = duration * (Double(size) / Double(range.count))
      response.body = .producer(length: range.count) { [range] write in
        try await RepeatingBytes.alphabet.write(range, in: size) { chunk in
          try await write(chunk)
          if pause > .zero { try await Task.sleep(for: pause) }
        }
      }
      return response
    }
  ]
}

/// The part of a body that a `Range` field requests.
enum ByteRange: Equatable {
  case whole
  case part(Range<Int>)
  case outside

  /// Reads the `Range` field of a request.
  ///
  /// A field that is invalid (RFC 9110 §14.1.1, §14.2) or has several ranges is ignored. So is a field whose `If-Range`
  /// condition is false (§13.1.5).
  init(_ request: ServerRequest, tag: String, count: Int) {
    self = .whole
    if let condition = request.headers[.ifRange], condition != tag { return }
    guard let field = request.headers[.range], field.hasPrefix("bytes=") else { return }
    let ends = field.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2 else { return }
    switch (Int(ends[0]), Int(ends[1])) {
    case (let first?, let last?) where first > last: return
    case (let first?, let last?): self = Self.part(from: first, to: last, of: count)
    case (let first?, nil) where ends[1].isEmpty:
      self = Self.part(from: first, to: count - 1, of: count)
    case (nil, let length?) where ends[0].isEmpty:
      self = length > 0 ? .part(max(0, count - length)..<count) : .outside
    default: return
    }
  }

  private static func part(from first: Int, to last: Int, of count: Int) -> ByteRange {
    guard first < count else { return .outside }
    return .part(first..<min(last, count - 1) + 1)
  }
}
