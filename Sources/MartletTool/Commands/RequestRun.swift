import EssentialFoundation
import MartletEssentials

/// A run of the request command, from the arguments to the exit status.
struct RequestRun {
  let command: RequestCommand
  let plan: OutputPlan
  let call = Call()

  init(_ command: RequestCommand) {
    self.command = command
    plan = OutputPlan(command.output, isTerminal: OutputHandle.output.isTerminal)
  }

  var followsRedirects: Bool { command.connection.follow || command.output.download }

  /// The printer for standard output.
  var printer: ExchangePrinter { ExchangePrinter(output: .output, plan: plan) }

  func run() async throws -> ExitStatus {
    // Duplicated first: later, the number may be that of a socket of the engine.
    let descriptor = try command.output.output.flatMap(OutputHandle.descriptor)
    let words = try PositionalArguments(
      command.words,
      isURL: command.output.download ? URLShorthand.looksLikeURL : URLShorthand.hasScheme)
    try command.output.checkMethod(words.method)
    guard words.furtherURLs.isEmpty else { return try await runSeveral(words) }
    let described = try description(words, words.url)
    var requests = [try body(for: described)]
    let saved = try command.authentication.session.map(SavedSession.init)
    var configuration = try configuration([described], for: &requests, saved)
    var request = requests[0]
    if command.output.isOffline {
      configuration.transport = OfflineTransport(
        printer: printer, version: configuration.versions == .http2 ? .http2 : .http1,
        showsSecrets: command.output.asCurl ? command.output.showSecrets : nil)
      _ = try await URLSessionManager(configuration: configuration).send(request)
      return .success
    }
    try plan.check(request.body)
    try saved?.checkWritable()
    let archive = try archive(&configuration)
    warn([call])
    request.call = call
    let session = session(configuration)
    let status = try await Signals.onInterrupt { [call] in
      call.cancel()
    } during: {
      try await saving(saved, archive) { try await deliver(request, over: session, to: descriptor) }
    }
    // The next run of the tool is to find a fresh response. A signal ends the process at once.
    await session.finishRevalidations()
    return status
  }

  /// Returns the archive that `--har` asks for, which observes the session of the configuration; `nil` without the option.
  private func archive(_ configuration: inout SessionConfiguration) throws -> ArchiveFile? {
    let archive = try ArchiveFile(command.output)
    configuration.observers = archive.map { [$0.recorder] } ?? []
    return archive
  }

  /// Runs a closure, and saves the session and the archive whether the closure returns or throws.
  private func saving<Result>(
    _ saved: SavedSession?, _ archive: ArchiveFile?, _ run: () async throws -> Result
  ) async throws -> Result {
    let result: Result
    do {
      result = if let archive { try await archive.recording(run) } else { try await run() }
    } catch {
      try? saved?.save()
      throw error
    }
    try saved?.save()
    return result
  }

  /// Downloads several URLs in parallel. Nothing else is possible with several URLs, because the output would mix.
  private func runSeveral(_ words: PositionalArguments) async throws -> ExitStatus {
    try command.output.checkSeveralURLs()
    let described = try ([words.url] + words.furtherURLs).map { try description(words, $0) }
    let input = try StandardInput(isIgnored: command.ignoreStdin, hasBody: described[0].hasBody)
    guard input.input != .filled else { throw ToolFailure.bodyForSeveral }
    var requests = try described.map { try $0.request(input: nil) }
    let saved = try command.authentication.session.map(SavedSession.init)
    var configuration = try configuration(described, for: &requests, saved)
    try saved?.checkWritable()
    let archive = try archive(&configuration)
    let session = session(configuration)
    let downloads = DownloadsRun(requests: requests, output: command.output, session: session)
    warn(downloads.calls)
    let status = try await Signals.onInterrupt { [calls = downloads.calls] in
      calls.forEach { $0.cancel() }
    } during: {
      try await saving(saved, archive) { try await downloads.run() }
    }
    await session.finishRevalidations()
    return status
  }

  private func deliver(
    _ request: Request, over session: URLSessionManager, to descriptor: OutputHandle?
  ) async throws -> ExitStatus {
    if command.output.verbose { logEvents() }
    let sent = plan.printed.isDisjoint(with: .request) ? nil : lastRequest()
    let hops = timedHops()
    let spinner = command.output.verbose ? nil : spinner(for: request)
    spinner?.begin()
    defer { spinner?.end() }
    let response: Response
    switch plan.body {
    case .nothing: response = try await session.send(request, delivery: .discard)
    case .printed: response = try await session.send(request, delivery: .stream)
    case .file(let path):
      response = try await save(request, to: OutputFile(path: path), descriptor, over: session)
    case .download(let path?) where OutputFile(path: path).isDevice:
      try command.output.checkDevice(path)
      response = try await save(request, to: OutputFile(path: path), descriptor, over: session)
    case .download(let path):
      return try await download(request, to: path, over: session, hops)
    }
    try await show(response, to: sent?.current, hops)
    showTiming(hops?.current)
    response.authenticationError.map { OutputHandle.error.writeLine("martlet: \($0.message)") }
    return checkedStatus(response)
  }

  private func download(
    _ request: Request, to path: String?, over session: URLSessionManager,
    _ hops: Locked<TimedHops>?
  ) async throws -> ExitStatus {
    let saved = try await Download(
      target: DownloadTarget(path: path), continues: command.output.continues,
      checksum: command.output.checksum, call: call, display: SingleProgressBar(on: .error)
    ).run(request, over: session)
    OutputHandle.error.writeLine(saved.summary)
    showTiming(hops?.current)
    return .success
  }

  private func save(
    _ request: Request, to file: OutputFile, _ descriptor: OutputHandle?,
    over session: URLSessionManager
  ) async throws -> Response {
    guard file.isDevice else {
      do {
        return try await session.send(request, delivery: .file(at: file.url))
      } catch let error as MartletError {
        throw error.replacingPath(of: file.url, with: file.path)
      }
    }
    let output =
      if let descriptor { descriptor } else {
        try await OutputHandle.device(at: file.path, for: call)
      }
    let response = try await session.send(request, delivery: .stream)
    try await BodyPrinter(output: output).copy(response.body)
    return response
  }

  /// The spinner for a request. With `--verbose` it is not used, because the log of events shows the progress.
  private func spinner(for request: Request) -> Spinner {
    let server = (try? Origin(of: request.url))?.authority ?? "an answer"
    let spinner = Spinner(on: .error, "Waiting for \(server.masked)")
    spinner.follow(call)
    return spinner
  }

  /// Prints the events of the call. The closure writes on the event loop: there is no other call that it could delay.
  private func logEvents() {
    let log = Locked(EventLog(palette: OutputHandle.error.palette))
    call.observe { event in
      for line in log.withLock({ $0.lines(for: event.kind) }) { OutputHandle.error.writeLine(line) }
    }
  }
}

extension URLSessionManager {
  fileprivate func send(_ request: Request, delivery: Delivery) async throws -> Response {
    var request = request
    request.delivery = delivery
    return try await send(request)
  }
}
