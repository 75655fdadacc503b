package import EssentialFoundation
import SystemPackage

/// Errors of responses that are malformed, too large or not allowed.
extension MartletError {
  package static func malformedResponse(_ what: String) -> MartletError {
    MartletError(
      .malformedResponse, "The server's response is not HTTP/1.1: \(what).", phase: .receive)
  }

  package static func headTooLarge(limit: Int) -> MartletError {
    MartletError(
      .headTooLarge,
      "The head of the response is larger than \(limit) bytes: raise `limits.responseHeadSize` if the server is to be trusted.",
      phase: .receive)
  }

  package static func interimResponsesTooLarge(limit: Int) -> MartletError {
    MartletError(
      .headTooLarge,
      "The interim responses before the final one are larger than \(limit) bytes: raise `limits.responseHeadSize` if the server is to be trusted.",
      phase: .receive)
  }

  package static func bodyTooLarge(limit: Int) -> MartletError {
    MartletError(
      .bodyTooLarge,
      "The body of the response is larger than \(limit) bytes: stream it, download it to a file, or raise the limit.",
      phase: .receive)
  }

  package static func bodyTruncated(received: Int64, of total: Int64?) -> MartletError {
    let text = total.map { "\(received) of \($0) bytes" } ?? "\(received) bytes"
    return MartletError(
      .bodyTruncated,
      "The connection ended after \(text) of the body, before it was complete: try again.",
      phase: .receive)
  }

  package static func bodyTooLong(announced length: Int64) -> MartletError {
    MartletError(
      .bodyLengthMismatch,
      "The server sent more than the \(length) bytes of the body that it had announced: try again.",
      phase: .receive)
  }

  package static func contentDecodingFailed(_ coding: String, _ reason: String) -> MartletError {
    MartletError(
      .contentDecodingFailed,
      "The body is marked as \(coding) but cannot be decompressed: \(reason).",
      phase: .decode)
  }

  package static func decompressionLimitExceeded(_ coding: String, _ reason: String)
    -> MartletError
  {
    MartletError(
      .decompressionLimitExceeded,
      "The \(coding) body was given up because \(reason): raise the limits of decompression if the server is to be trusted.",
      phase: .decode)
  }

  package static func fileNotWritable(_ url: URL, underlying: any Error) -> MartletError {
    fileNotWritable(url.path, underlying: underlying)
  }

  /// The same error for a path as the user wrote it.
  package static func fileNotWritable(_ path: String, underlying: any Error) -> MartletError {
    let reason =
      Errno(beneath: underlying).map { "\($0)" }
      ?? "check that its directory exists, may be written to and has room"
    return MartletError(
      .fileNotWritable, "“\(path.masked)” could not be written: \(reason).", phase: .receive,
      underlying: underlying)
  }

  package static func fileExists(_ url: URL) -> MartletError {
    MartletError(
      .fileNotWritable,
      "“\(url.path.masked)” exists already: move it away, or choose another name.", phase: .receive)
  }

  package static func tooManyRedirects(limit: Int) -> MartletError {
    MartletError(
      .tooManyRedirects,
      limit > 0
        ? "There were more than \(limit) redirects: the server may redirect in a loop."
        : "The server redirects, and the limit allows no redirects: raise the limit to follow them.",
      phase: .receive)
  }

  package static func ambiguousRedirect(_ location: String, _ other: String) -> MartletError {
    MartletError(
      .malformedResponse,
      "The server redirects to “\(location.masked)” and to “\(other.masked)” at once: it must send a single Location.",
      phase: .receive)
  }

  package static func insecureRedirect(to url: URL) -> MartletError {
    MartletError(
      .insecureRedirect,
      "The server leads from https to “\(url.absoluteString.masked)”, which is not encrypted: set `redirectPolicy.allowsInsecure`, or request that URL directly.",
      phase: .receive)
  }
}

extension Errno {
  /// The system error that caused `error`; `nil` when there is none.
  fileprivate init?(beneath error: any Error) {
    switch error {
    case let error as Errno: self = error
    case let error as POSIXError: self.init(rawValue: error.code.rawValue)
    case let error as CocoaError:
      guard let underlying = error.underlying else { return nil }
      self.init(beneath: underlying)
    default: return nil
    }
  }
}
