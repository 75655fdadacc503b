import HTTPTypes
import NIOCore

extension Router {
  /// Bodies with a content coding (RFC 9110 §8.4), whether the client accepts it or not.
  static let compressedRoutes: [Route] = [
    .get("/gzip") { try compressed($0, flag: "gzipped", coding: "gzip", .gzip) },
    .get("/deflate") { try compressed($0, flag: "deflated", coding: "deflate", .zlib) },
  ]

  private static func compressed(
    _ request: ServerRequest, flag: String, coding: String, _ format: Deflate.Format
  ) throws -> ServerResponse {
    let echo = Echo(request)
    var response = try ServerResponse.json([
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
