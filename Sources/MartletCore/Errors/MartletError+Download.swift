package import EssentialFoundation
import HTTPTypes

/// Downloads that cannot go on, or are not what they should be.
extension MartletError {
  package static func partialFileGone(_ file: URL) -> MartletError {
    MartletError(
      .invalidResumeData,
      "The partial file “\(file.path.masked)” is not there any more: download from the beginning.")
  }

  package static func resumeDataOfOther(_ other: URL, than url: URL) -> MartletError {
    MartletError(
      .invalidResumeData,
      "The resume data is about “\(other.masked)”, not “\(url.masked)”: download from the beginning."
    )
  }

  package static func unreadableRecord(_ file: URL, underlying: any Error) -> MartletError {
    MartletError(
      .invalidResumeData,
      "The record of a download, “\(file.path.masked)”, cannot be read: remove it to download from the beginning.",
      underlying: underlying)
  }

  package static func downloadInUse(_ url: URL) -> MartletError {
    MartletError(
      .downloadInUse,
      "“\(url.masked)” is being downloaded to the same place already: wait for that to end, or choose another place."
    )
  }

  /// Another part came than the one from `offset` on; `field` is its `Content-Range`, if it has one.
  package static func wrongRange(_ offset: Int64, got field: String?) -> MartletError {
    let got = field.map { "“\($0.masked)”" } ?? "a part without saying which"
    return MartletError(
      .wrongRange,
      "The server was asked for the bytes from \(offset) on and sent \(got): try again later, or download from the beginning.",
      phase: .receive)
  }

  /// A part came that was not asked for.
  package static func unrequestedPart(_ head: ResponseHead) -> MartletError {
    let part = head.headers[.contentRange].map { ", “\($0.masked)”" } ?? ""
    var error = MartletError(
      .wrongRange,
      "The server was asked for the whole and sent a part\(part): try again later, or send a `Range` field if a part is wanted.",
      phase: .receive)
    error.response = head
    return error
  }

  package static func bodyNotAsAnnounced(_ announced: Int64, sent: String) -> MartletError {
    MartletError(
      .bodyLengthMismatch,
      "The server announced \(announced) bytes and sent \(sent): try again, or report it to the operator of the server.",
      phase: .receive)
  }

  package static func invalidChecksum(_ text: String) -> MartletError {
    MartletError(
      .invalidChecksum,
      "“\(text.masked)” is no checksum: it must read sha256: and 64 hexadecimal digits, or sha512: and 128."
    )
  }

  package static func invalidChecksum(_ algorithm: String, byteCount: Int, found: Int)
    -> MartletError
  {
    MartletError(
      .invalidChecksum,
      "\(found) bytes are no checksum of the algorithm \(algorithm), which makes \(byteCount).")
  }

  /// The digest found is not the one expected; `source` is who says so, “the server” or “the checksum”.
  package static func digestMismatch(
    _ algorithm: String, expected: String, found: String, source: String
  ) -> MartletError {
    MartletError(
      .digestMismatch,
      "What was downloaded is damaged, or not what was meant, and was removed: its \(algorithm) is \(found), where \(source) says \(expected).",
      phase: .receive)
  }

  package static let notDelivered = MartletError(
    .fileNotWritable,
    "The transport did not deliver the body as it was asked to: have it return the body as bytes or as a stream, or download without it.",
    phase: .receive)

  package static func notReplaceable(_ url: URL) -> MartletError {
    MartletError(
      .fileNotWritable,
      "“\(url.path.masked)” is not a regular file, and is not replaced by one: choose another name, or stream the body and write it there.",
      phase: .receive)
  }

  package static func notAFile(_ url: URL) -> MartletError {
    MartletError(
      .fileNotWritable, "“\(url.path.masked)” is a folder: give the file a name in it.",
      phase: .receive)
  }
}
