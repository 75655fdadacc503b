/// Options of curl that the tool does not have, and what it has instead.
enum CurlOption {
  static let replacements: [(names: [String], advice: String)] = [
    (["-X", "--request"], "write the method before the URL, as in martlet PUT URL"),
    (["-L", "--location"], "use --follow"),
    (["-H", "--header"], "write a header as a word after the URL, as in Name:value"),
    (
      ["--data", "--data-raw", "--data-binary", "--data-urlencode", "--form-string"],
      "write the fields as words after the URL, as in name=value, or a file as @path"
    ),
    (["-T", "--upload-file"], "write the file after the URL, as in martlet PUT URL @path"),
    (["-G", "--get"], "write parameters of the query as words after the URL, as in name==value"),
    (["-u", "--user"], "use --auth"),
    (["-A", "--user-agent"], "write the header after the URL, as in User-Agent:value"),
    (["-e", "--referer"], "write the header after the URL, as in Referer:value"),
    (["--cookie", "--cookie-jar"], "use --session, or write the header as in Cookie:name=value"),
    (["-i", "--include", "-D", "--dump-header"], "use --print hb"),
    (["--head"], "write the method before the URL, as in martlet HEAD URL"),
    (["-O", "--remote-name"], "use --download"),
    (["-C", "--continue-at"], "use --download --continue"),
    (["-k"], "use --insecure"),
    (["-E"], "use --cert"),
    (["-x"], "use --proxy"),
    (["-m"], "use --max-time"),
    (["--connect-timeout"], "use --timeout"),
    (["--max-redirs"], "use --max-redirects"),
    (["--fail"], "use --check-status"),
    (["-s", "--silent", "-S", "--show-error"], "leave it out: only the response is printed"),
    (["--compressed"], "leave it out: responses are decompressed"),
    (["--http3", "--http3-only"], "leave it out: HTTP/2 is the newest version here"),
  ]

  /// Explains an error of the parser.
  ///
  /// - Parameter complaint: What the parser says, such as `Unknown option '-XPUT'`.
  /// - Returns: The sentence about an option of curl that the parser does not know; `nil` for another error.
  static func sentence(about complaint: String) -> String? {
    guard let unknown = complaint.firstMatch(of: #/Unknown option '([^']+)'/#)?.output.1,
      // With one hyphen more it is an option of the tool.
      !complaint.contains("Did you mean '-\(unknown)'")
    else { return nil }
    for (names, advice) in replacements {
      guard let name = names.first(where: { isOption($0, unknown) }) else { continue }
      return "\(name) is an option of curl: \(advice)."
    }
    return nil
  }

  /// Whether a word is an option, or a short one with its value or with others, as in `-XPUT` and `-sS`.
  private static func isOption(_ name: String, _ word: Substring) -> Bool {
    name.hasPrefix("--") ? word == name : word.hasPrefix(name)
  }
}
