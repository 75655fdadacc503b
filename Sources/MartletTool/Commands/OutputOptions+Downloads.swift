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
