import Foundation
import Martlet

/// One request from the command line to its exit status.
struct RequestRun {
  private let command: RequestCommand
  private let plan: OutputPlan
  private let exchange = Exchange()

  init(_ command: RequestCommand) {
    self.command = command
    plan = OutputPlan(command.output, isTerminal: Outlet.output.isTerminal)
  }

  private var followsRedirects: Bool { command.connection.follow || command.output.download }

  func run() async throws -> ExitStatus {
    let described = try describedRequest()
    var request = try body(for: described)
    var configuration = command.connection.configuration(followsRedirects: followsRedirects)
    if described.removes(.acceptEncoding) { configuration.decompression = nil }
    if command.output.offline {
      configuration.transport = OfflineTransport(
        outlet: .output, version: configuration.versions == .http2 ? .http2 : .http1)
      _ = try await URLSessionManager(configuration: configuration).send(request)
      return .success
    }
    warn()
    request.exchange = exchange
    let session = URLSessionManager(configuration: configuration)
    let status = try await Signals.onInterrupt { [exchange] in
      exchange.cancel()
    } during: {
      try await deliver(request, over: session)
    }
    return status
  }

  // MARK: Before

  private func describedRequest() throws(ToolFailure) -> CommandLineRequest {
    let words = try PositionalArguments(command.words)
    var items: [RequestItem] = []
    for item in words.items { items.append(try item.readingFile()) }
    return CommandLineRequest(
      method: words.method, url: words.url, items: items, encoding: command.encoding)
  }

  private func body(for described: CommandLineRequest) throws -> Request {
    let hasFields = described.hasFields
    let input = StandardInput(isIgnored: command.ignoreStdin, hasFields: hasFields)
    let source = try BodySource.choose(hasFields: hasFields, input: input.input)
    return try described.request(input: source == .standardInput ? input.body : nil)
  }

  private func warn() {
    guard command.connection.insecure else { return }
    Outlet.error.note(
      "martlet: warning: Certificates are not checked; anybody could be answering.")
  }

  // MARK: During

  private func deliver(_ request: Request, over session: URLSessionManager) async throws
    -> ExitStatus
  {
    if command.output.verbose { logEvents() }
    let response: Response
    switch plan.body {
    case .nothing, .bytes, .pretty:
      response = try await session.send(
        request, delivery: plan.body == .nothing ? .discard : .stream)
      try await show(response)
    case .file(let path):
      response = try await save(request, to: OutputFile(path: path), over: session)
    case .download(let path?) where OutputFile(path: path).isDevice:
      response = try await save(request, to: .device(path), over: session)
    case .download(let path):
      response = try await Download(path: path, exchange: exchange).run(request, over: session)
    }
    if command.output.timing { showTiming(response.metrics) }
    return checkedStatus(response)
  }

  private func save(
    _ request: Request, to file: OutputFile, over session: URLSessionManager
  ) async throws -> Response {
    let response = try await session.send(request, delivery: file.delivery)
    try await file.finish(response)
    return response
  }

  /// The listener writes from the event loop: there is but one exchange, and nobody else to keep waiting.
  private func logEvents() {
    let log = Locked(EventLog(palette: Outlet.error.palette))
    exchange.observe { event in
      for line in log.withLock({ $0.lines(for: event) }) { Outlet.error.note(line) }
    }
  }

  // MARK: After

  private func show(_ response: Response) async throws {
    let printer = BodyPrinter(outlet: .output)
    if plan.showsHead {
      let lines = ResponseText.lines(
        response.head, version: response.metrics.connection.map { HTTPVersion($0) },
        palette: Outlet.output.palette)
      try Outlet.output.write((lines + [""]).joined(separator: "\n") + "\n")
    }
    switch plan.body {
    case .pretty: try await printer.show(response)
    case .bytes: try await printer.copy(response.body)
    default: break
    }
  }

  private func showTiming(_ metrics: Metrics) {
    for line in TimingWaterfall(metrics: metrics).lines(width: Outlet.error.columns) {
      Outlet.error.note(line)
    }
  }

  /// In a pipe the head is not shown, so the status that ends the run is said.
  private func checkedStatus(_ response: Response) -> ExitStatus {
    guard command.connection.checkStatus else { return .success }
    let status = ExitStatus(
      checking: response.status.code, followsRedirects: followsRedirects)
    if status != .success, !plan.showsHead {
      Outlet.error.note("martlet: The server answered \(ResponseText.status(response.head)).")
    }
    return status
  }
}

extension URLSessionManager {
  fileprivate func send(_ request: Request, delivery: Delivery) async throws -> Response {
    var request = request
    request.delivery = delivery
    return try await send(request)
  }
}
