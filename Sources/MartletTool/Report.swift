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
    // Only --http2 leads to this error.
    case let error as MartletError where error.code == .protocolNotSupported:
      error.message.replacing("set `versions` to `.automatic`", with: "leave out --http2")
    case let error as MartletError where error.code == .decompressionLimitExceeded:
      error.message.replacing(
        "raise the limits of decompression if the server is to be trusted",
        with: "add “Accept-Encoding:” to receive it without decompression")
    case let error as MartletError where error.code == .clientCertificateRequired:
      error.message.replacing(
        #/set one for “.*” in `tls.clientIdentities`/#, with: "give one with --cert")
    case let error as MartletError: error.message
    default: String(describing: error).masked
    }
  }
}
