/// What becomes of a response.
struct OutputPlan: Equatable {
  /// What becomes of its body.
  enum BodyPlan: Equatable {
    case nothing
    /// To standard output, as it came.
    case bytes
    /// To the terminal, laid out for reading.
    case pretty
    /// To the path given.
    case file(String)
    /// To a file whose name may come from the response.
    case download(String?)
  }

  /// Whether the status line and the header fields go to standard output.
  let showsHead: Bool
  let body: BodyPlan

  /// On a terminal a response is shown whole, unless its head appears among the events anyway; in a pipe
  /// it is its body.
  init(_ options: OutputOptions, isTerminal: Bool) {
    if options.download {
      (showsHead, body) = (false, .download(options.output))
    } else if options.headers {
      (showsHead, body) = (true, .nothing)
    } else if options.output == "-" {
      (showsHead, body) = (false, .bytes)
    } else if let path = options.output {
      (showsHead, body) = (false, .file(path))
    } else {
      showsHead = isTerminal && !options.body && !options.verbose
      body = isTerminal ? .pretty : .bytes
    }
  }
}
