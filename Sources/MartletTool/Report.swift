import EssentialFoundation
import ArgumentParser
import MartletEssentials

/// Reports the end of a command: an exit status and, for an error, one sentence.
enum Report {
  /// Runs a command.
  ///
  /// If the reader of the output has closed the pipe, or a signal has interrupted the command, the process ends by that
  /// signal.
  ///
  /// - Throws: `ExitCode` if the command fails, or returns a status other than `.success`.
  static func run(_ command: () async throws -> ExitStatus) async throws {
    let status: ExitStatus
    do {
      status = try await command()
    } catch is OutputHandle.Closed {
      Signals.terminate(by: SIGPIPE)
    } catch let interruption as Signals.Interruption {
      Signals.terminate(by: interruption.signal)
    } catch {
      OutputHandle.error.writeLine("martlet: \(sentence(error))")
      status = ExitStatus(error)
    }
    if status != .success { throw ExitCode(status.rawValue) }
  }

  /// The sentence that describes an error.
  static func sentence(_ error: any Error) -> String {
    switch error {
    case let failure as ToolFailure: failure.message
    // A failure of the tool that the library passes on, such as that of standard input.
    case let error as MartletError where error.underlying is ToolFailure:
      error.underlying.map(sentence) ?? error.message
    case let error as MartletError: error.messageOfTool
    default: String(describing: error).masked
    }
  }
}

extension MartletError {
  /// The message with the options of the tool in place of the settings of the library, which its users cannot change.
  fileprivate var messageOfTool: String {
    switch code {
    // Only --http2 leads to this error.
    case .protocolNotSupported:
      message.replacing("set `versions` to `.automatic`", with: "leave out --http2")
    case .notCached:
      message.replacing(
        "use another cache policy to load it from the server",
        with: "leave out --only-if-cached to request it from the server")
    case .connectionLost: message.replacing("set `versions` to `.http1`", with: "add --http1")
    case .headTooLarge:
      message.replacing(
        ": raise `limits.responseHeadSize` if the server is to be trusted", with: "")
    case .bodyTooLarge:
      message.replacing(": stream it, download it to a file, or raise the limit", with: "")
    case .decompressionLimitExceeded:
      message.replacing(
        "raise the limits of decompression if the server is to be trusted",
        with: "add “Accept-Encoding:” to receive it without decompression")
    case .clientCertificateRequired:
      message.replacing(
        #/set one for “.*” in `tls.clientIdentities`/#, with: "give one with --cert")
    case .insecureRedirect:
      message.replacing("set `redirectPolicy.allowsInsecure`, or request", with: "request")
    case .tlsFailed:
      message.replacing(
        "no version of TLS that `minimumVersion` and `maximumVersion` allow, in `tls` or in the security policy",
        with: "neither TLS 1.2 nor TLS 1.3")
    case .invalidTrustRoots:
      message.replacing("give roots with `tls.roots`", with: "give roots with --cacert")
    // The tool resumes a download only with --continue.
    case .invalidResumeData:
      message.replacing(
        ": download from the beginning",
        with: ": leave out --continue to download from the beginning")
    case .wrongRange:
      message.replacing(
        "or download from the beginning",
        with: "or leave out --continue to download from the beginning")
    default: message
    }
  }
}
