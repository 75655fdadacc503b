import ArgumentParser
import EssentialFoundation
import MartletEssentials
import MartletHAR

/// `martlet har FILE`
struct ArchiveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "har",
    abstract: "Show the requests of a HAR file and when they happened.",
    discussion: """
      Prints a line for each request: method, status, size of the body, time, and a bar from the begin of the request to \
      its end. The file may come from --har, from a browser, or from another tool.

      EXAMPLES
        martlet --follow --har run.har https://example.com/
        martlet har run.har
      """)

  @Argument(help: ArgumentHelp("The file.", valueName: "FILE"))
  var file: String

  func run() async throws {
    try await Report.run {
      let archive = try HTTPArchive(contentsOf: URL(fileURLWithPath: file))
      for line in ArchiveWaterfall(archive).lines(width: OutputHandle.output.columns) {
        try OutputHandle.output.write(line + "\n")
      }
      return .success
    }
  }
}

/// The file that `--har` writes.
struct ArchiveFile {
  let recorder: HTTPArchiveRecorder
  private let url: URL

  /// Returns `nil` without `--har`.
  ///
  /// - Throws: `MartletError` when the file cannot be written. It is written once before anything is sent, so that no request
  ///   is sent in vain.
  init?(_ output: OutputOptions) throws {
    guard let path = output.har else { return nil }
    recorder = HTTPArchiveRecorder(showsSecrets: output.showSecrets)
    url = URL(fileURLWithPath: path)
    try recorder.write(to: url)
  }

  /// Runs a closure, and writes the archive whether the closure returns or throws.
  func recording<Result>(_ run: () async throws -> Result) async throws -> Result {
    let result: Result
    do {
      result = try await run()
    } catch {
      do { try recorder.write(to: url) } catch {
        OutputHandle.error.writeLine("martlet: \(Report.sentence(error))")
      }
      throw error
    }
    try recorder.write(to: url)
    return result
  }
}
