import MartletEssentials
import MartletCore

/// Prints the selected parts of an exchange: formatted on a terminal, and byte for byte elsewhere.
struct ExchangePrinter {
  let output: OutputHandle
  let plan: OutputPlan

  /// Prints the selected parts of a request that was sent, or would be sent.
  ///
  /// - Throws: The errors of writing to the output, and of reading a body that is a file or has a producer.
  func show(_ text: RequestText) async throws {
    let body = text.request.body
    if plan.printed.contains(.requestHead) {
      let lines = plan.form == .reading ? text.head.map(\.escapingControlCharacters) : text.head
      try show(lines + [""])
    }
    guard plan.printed.contains(.requestBody), !body.isEmpty else { return }
    let printer = printer(for: BodyType(text.request))
    try await printer.copy(body)
    if !printer.endsLine { try output.write("\n") }
    if !plan.printed.isSubset(of: .request) { try output.write("\n") }
  }

  /// Prints the selected parts of a response, its body included.
  func show(_ response: Response) async throws {
    if plan.printed.contains(.responseHead) { try showHead(response) }
    guard plan.body == .printed else { return }
    let printer = printer(for: BodyType(response))
    try await printer.copy(response.body)
    if plan.printed.contains(.timing), !printer.endsLine { try output.write("\n") }
  }

  /// Prints the timing, if it is selected.
  func show(_ hops: TimedHops) throws {
    guard plan.printed.contains(.timing) else { return }
    try show(hops.lines(width: output.columns))
  }

  private func printer(for type: BodyType) -> BodyPrinter {
    guard plan.form == .reading else { return BodyPrinter(output: output) }
    let pictures = type.isPicture ? ImagePrinter(output) : nil
    let text = BodyText(type, palette: output.palette, pictures: pictures)
    return BodyPrinter(output: output, reading: text)
  }

  private func showHead(_ response: Response) throws {
    let version = response.metrics.connection.map { HTTPVersion($0) }
    guard plan.form == .reading else {
      return try output.write(ResponseText.bytes(response.head, version: version))
    }
    try show(
      ResponseText.lines(response.head, version: version, palette: output.palette) + [""])
  }

  private func show(_ lines: [String]) throws {
    try output.write(lines.map { $0 + "\n" }.joined())
  }
}

/// Prints a request instead of sending it, or the command of curl that sends it.
///
/// It replaces the engine, so the request that it prints has passed through the whole pipeline.
struct OfflineTransport: Transport {
  let printer: ExchangePrinter
  /// The HTTP version in which the request would be sent.
  let version: HTTPVersion
  /// Whether the command of curl shows secrets; `nil` to print the request.
  let showsSecrets: Bool?

  func send(_ request: Request) async throws -> Response {
    _ = try request.origin
    if let showsSecrets {
      try printer.output.write(request.curlCommand(showsSecrets: showsSecrets) + "\n")
    } else {
      try await printer.show(RequestText(request: request, version: version))
    }
    return Response(head: ResponseHead(status: .ok), url: request.url)
  }
}
