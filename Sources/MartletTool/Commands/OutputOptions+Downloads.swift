import Martlet

/// What can be found out only when it is known what is downloaded.
extension OutputOptions {
  /// Several URLs must be downloads, and have nothing that is about one.
  ///
  /// - Throws: `ToolFailure`.
  func checkSeveralURLs() throws(ToolFailure) {
    guard download else {
      throw .usage("Several URLs can only be downloaded: add --download, or give one.")
    }
    guard output == nil, checksum == nil, !verbose, !timing, !offline else {
      throw .usage(
        "--output, --checksum, --verbose, --timing and --offline are about one URL: leave them out, or give one."
      )
    }
  }

  /// HEAD asks for no body (RFC 9110 §9.3.2), and an empty file would say otherwise.
  ///
  /// - Parameter method: The method in upper case, if one was given.
  /// - Throws: `ToolFailure` when the body would be saved.
  func checkMethod(_ method: String?) throws(ToolFailure) {
    guard method == "HEAD", download || savesFile else { return }
    throw .usage(
      "HEAD asks for no body that could be saved: leave out --download and --output, or use GET.")
  }

  private var savesFile: Bool {
    output.map { $0 != "-" && !OutputFile(path: $0).isDevice } ?? false
  }

  /// A device takes a body as it comes, and keeps nothing.
  ///
  /// - Throws: `ToolFailure`.
  func checkDevice(_ path: String) throws(ToolFailure) {
    guard !continues, checksum == nil else {
      throw .usage(
        "“\(path.masked)” is no file: leave out --continue and --checksum, or give another name.")
    }
  }
}

extension ToolFailure {
  static let bodyForSeveral = ToolFailure.usage(
    "There are several URLs and a body on standard input: give one URL, or --ignore-stdin.")
}
