import Martlet
import NIOCore

/// Prints a request instead of sending it.
///
/// It stands where the engine would, so what it prints has been through the whole pipeline.
struct OfflineTransport: Transport {
  let outlet: Outlet
  /// The version of HTTP in which the request would go out.
  let version: HTTPVersion

  func send(_ request: Request) async throws -> Response {
    let text = RequestText(request: request, version: version)
    _ = try request.origin
    try outlet.write((text.head + [""]).joined(separator: "\n") + "\n")
    let body = text.body
    try outlet.write(body)
    if !body.isEmpty, body.last != UInt8(ascii: "\n") { try outlet.write("\n") }
    return Response(head: ResponseHead(status: .ok), url: request.url)
  }
}
