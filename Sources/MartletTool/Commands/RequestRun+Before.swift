import EssentialFoundation
import MartletEssentials

/// Making requests and a session from the words of the command line.
extension RequestRun {
  func description(_ words: PositionalArguments, _ url: String) throws(ToolFailure)
    -> CommandLineRequest
  {
    var items: [RequestItem] = []
    for item in words.items { items.append(try item.readingFile()) }
    return CommandLineRequest(
      method: words.method, url: url, items: items, encoding: command.encoding)
  }

  func configuration(
    _ described: [CommandLineRequest], for requests: inout [Request], _ saved: SavedSession?
  ) throws -> SessionConfiguration {
    var configuration = try command.connection.configuration(
      for: requests, followsRedirects: followsRedirects)
    try command.authentication.apply(
      described, to: &requests, &configuration, saved: saved, prompt: PasswordPrompt.ask)
    try command.caching.apply(to: &requests, &configuration)
    if described.contains(where: { $0.removes(.acceptEncoding) }) {
      configuration.decompressionLimits = nil
    }
    return configuration
  }

  /// A session with a configuration. For a download it checks only the status of the response, and accepts any content
  /// type.
  func session(_ configuration: SessionConfiguration) -> URLSessionManager {
    let session = URLSessionManager(configuration: configuration)
    session.responseSerializer = HTTPResponseSerializer()
    return session
  }

  func body(for described: CommandLineRequest) throws -> Request {
    let hasBody = described.hasBody
    let input = try StandardInput(isIgnored: command.ignoreStdin, hasBody: hasBody)
    let source = try BodySource.choose(hasItems: hasBody, input: input.input)
    return try described.request(input: source == .standardInput ? input.body : nil)
  }

  /// Warns of insecure options at once, of a password without TLS when it is sent, and of a cache when it fails.
  func warn(_ calls: [Call]) {
    if let warning = command.connection.trust.warning { OutputHandle.error.writeLine(warning) }
    // The log of events has the message, too.
    if command.caching.directory != nil, !command.output.verbose {
      OneTimeWarning { event in
        guard case .cacheFailed(let error) = event else { return nil }
        return "martlet: warning: \(Report.sentence(error))"
      }.follow(calls)
    }
    guard command.authentication.warnsOfBasic else { return }
    OneTimeWarning { event in
      guard case .sending(let request, _, _) = event else { return nil }
      return ClearTextWarning.text(for: request)
    }.follow(calls)
  }
}
