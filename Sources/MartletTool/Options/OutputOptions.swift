import ArgumentParser
import MartletEssentials

/// The options for output and saved files.
struct OutputOptions: ParsableArguments {
  @Flag(name: .long, help: "Print only the head of the response.")
  var headers = false

  @Flag(name: .shortAndLong, help: "Print only the body of the response.")
  var body = false

  @Option(
    name: [.customShort("p", allowingJoined: true), .customLong("print")],
    help: ArgumentHelp(
      "Print these parts on standard output: H and B, the head and the body of the request; h and b, those of the response; m, the timing.",
      valueName: "HBhbm"))
  var printed: String?

  @Flag(
    name: .shortAndLong,
    help:
      "Print the events of the call, the request as it is sent, and the heads of all responses, on standard error."
  )
  var verbose = false

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Save the body to this file; - is standard output.", valueName: "file"))
  var output: String?

  @Flag(
    name: .shortAndLong,
    help:
      "Save the body to --output, or else under the name that the server or the URL gives, with a number added if that file exists. Follows redirects."
  )
  var download = false

  @Flag(
    name: [.customShort("c"), .customLong("continue")],
    help:
      "With --download, resume an incomplete download, and keep what was received if this one fails."
  )
  var continues = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "With --download, the checksum that the file must have: sha256: or sha512: and hexadecimal digits.",
      valueName: "checksum"),
    transform: { text in
      do throws(MartletError) {
        return try Checksum(text)
      } catch {
        throw ValidationError(error.message)
      }
    })
  var checksum: Checksum?

  @Flag(
    name: .long, help: "Print the timing of each request, redirects included, on standard error.")
  var timing = false

  @Flag(name: .long, help: "Print the request instead of sending it.")
  var offline = false

  @Flag(
    name: .long,
    help: "Print the request as a command of curl instead of sending it, with *** for secrets.")
  var asCurl = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Record the requests and responses in this file, in the format HAR 1.2, with *** for secrets.",
      valueName: "file"))
  var har: String?

  @Flag(name: .long, help: "With --as-curl or --har, do not hide passwords, tokens and cookies.")
  var showSecrets = false

  /// The option because of which nothing is sent; `nil` without one.
  private var offlineOption: String? { asCurl ? "--as-curl" : offline ? "--offline" : nil }

  /// Whether the request is not sent.
  var isOffline: Bool { offlineOption != nil }

  /// The parts that `--print` selects; `nil` without `--print`, or if a letter is unknown.
  var printedParts: PrintedParts? { printed.flatMap { PrintedParts(letters: $0) } }

  func validate() throws {
    if printed != nil { try checkPrinted() }
    if let offlineOption, headers || body || download || timing || output != nil {
      throw ValidationError(
        "\(offlineOption) gets no response: leave out --headers, --body, --download, --timing and --output."
      )
    }
    if asCurl, offline || printed != nil {
      throw ValidationError("--as-curl prints a command: leave out --offline and --print.")
    }
    if showSecrets, !asCurl, har == nil {
      throw ValidationError(
        "--show-secrets is about a command of curl or a HAR file: add --as-curl or --har.")
    }
    if let offlineOption, har != nil {
      throw ValidationError("\(offlineOption) sends nothing: leave out --har.")
    }
    if let har, har.isEmpty || har.hasSuffix("/") || har == "-" {
      throw ValidationError("--har needs the name of a file.")
    }
    if let har, har == output {
      throw ValidationError("--har and --output need different files.")
    }
    if headers, body || download || output != nil {
      throw ValidationError("--headers prints no body: leave out --body, --output and --download.")
    }
    if body, download || (output ?? "-") != "-" {
      throw ValidationError("--body prints the body: leave out --output and --download.")
    }
    if continues, !download {
      throw ValidationError("--continue resumes a download: add --download.")
    }
    if checksum != nil, !download {
      throw ValidationError("--checksum checks a download: add --download.")
    }
    if let output, output.isEmpty {
      throw ValidationError("--output needs the name of a file.")
    }
    if let output, output.hasSuffix("/") {
      throw ValidationError("--output needs the name of a file: leave out the slash at its end.")
    }
    if download, output == "-" {
      throw ValidationError("--download saves a file: leave out --output -, or --download.")
    }
  }

  private func checkPrinted() throws {
    guard let parts = printedParts else {
      throw ValidationError("--print takes the letters H, B, h, b and m, and no others.")
    }
    if headers || body || download || output == "-" {
      throw ValidationError(
        "--print lists all that is printed: leave out --headers, --body, --download and --output -."
      )
    }
    if output != nil, parts.contains(.responseBody) {
      throw ValidationError("--output saves the body: leave b out of --print.")
    }
    if offline, !parts.isSubset(of: .request) {
      throw ValidationError("--offline gets no response: print H and B alone.")
    }
  }
}

/// Checks that need the URLs, the method or the output file.
extension OutputOptions {
  /// Checks the options for several URLs: they must be downloads, without options that apply to one URL only.
  ///
  /// - Throws: `ToolFailure` when they are not downloads, or such an option is given.
  func checkSeveralURLs() throws(ToolFailure) {
    guard download else {
      throw .usage("Several URLs can only be downloaded: add --download, or give one URL.")
    }
    guard output == nil, checksum == nil, !verbose, !timing, !isOffline else {
      throw .usage(
        "--output, --checksum, --verbose, --timing, --offline and --as-curl work with one URL only: leave them out, or give one URL."
      )
    }
  }

  /// Checks that no option saves the body for HEAD. The response has none (RFC 9110 §9.3.2), and an empty file would
  /// suggest an empty body.
  ///
  /// - Parameter method: The method in upper case, if one was given.
  /// - Throws: `ToolFailure` when the body would be saved.
  func checkMethod(_ method: String?) throws(ToolFailure) {
    guard method == "HEAD", download || savesFile else { return }
    throw .usage(
      "The response to HEAD has no body to save: leave out --download and --output, or use GET.")
  }

  private var savesFile: Bool {
    output.map { $0 != "-" && !OutputFile(path: $0).isDevice } ?? false
  }

  /// Checks the options for a device as output: a download to it cannot be resumed or verified.
  ///
  /// - Throws: `ToolFailure` when `--continue` or `--checksum` is given.
  func checkDevice(_ path: String) throws(ToolFailure) {
    guard !continues, checksum == nil else {
      throw .usage(
        "“\(path.masked)” is not a regular file: leave out --continue and --checksum, or give another name."
      )
    }
  }
}

extension ToolFailure {
  static let bodyForSeveral = ToolFailure.usage(
    "There are several URLs and a body on standard input: give one URL, or --ignore-stdin.")
}
