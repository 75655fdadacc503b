import HTTPTypes
import NIOCore

extension Router {
  /// The alphabet, over and over, whole or in part (RFC 9110 §14).
  static let rangeRoutes: [Route] = [
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

/// What a `Range` field asks for.
enum ByteRange: Equatable {
  case whole
  case part(Range<Int>)
  case outside

  /// One range at most is honoured; a field that cannot be understood, and one that `If-Range` makes
  /// void, are ignored, as RFC 9110 §14.2 and §13.1.5 have it.
  init(_ request: ServerRequest, tag: String, count: Int) {
    self = .whole
    if let condition = request.headers[.ifRange], condition != tag { return }
    guard let field = request.headers[.range], field.hasPrefix("bytes=") else { return }
    let ends = field.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2 else { return }
    switch (Int(ends[0]), Int(ends[1])) {
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
    guard first <= last else { return .whole }
    return .part(first..<min(last, count - 1) + 1)
  }
}
