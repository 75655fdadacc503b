import Martlet

/// Prints a request instead of sending it.
///
/// It stands where the engine would, so what it prints has been through the whole pipeline.
struct OfflineTransport: Transport {
  let printer: ExchangePrinter
  /// The version of HTTP in which the request would go out.
  let version: HTTPVersion

  func send(_ request: Request) async throws -> Response {
    _ = try request.origin
    try await printer.show(RequestText(request: request, version: version))
    return Response(head: ResponseHead(status: .ok), url: request.url)
  }
}
