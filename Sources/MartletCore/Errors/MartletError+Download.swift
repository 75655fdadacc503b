package import EssentialFoundation
import HTTPTypes

/// Errors of downloads that cannot continue or are not the expected file.
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

  /// The server sent another part than the bytes from `offset` on. `field` is its `Content-Range`, if any.
  package static func wrongRange(_ offset: Int64, got field: String?) -> MartletError {
    let got = field.map { "“\($0.masked)”" } ?? "a part without `Content-Range`"
    return MartletError(
      .wrongRange,
      "The request was for the bytes from \(offset) on, but the server sent \(got): try again later, or download from the beginning.",
      phase: .receive)
  }

  /// The server sent a part that was not requested.
  package static func unrequestedPart(_ head: ResponseHead) -> MartletError {
    let part = head.headers[.contentRange].map { ", “\($0.masked)”" } ?? ""
    var error = MartletError(
      .wrongRange,
      "The request was for the whole body, but the server sent a part\(part): try again later, or send a `Range` field if a part is wanted.",
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
      "“\(text.masked)” is not a checksum: it must read sha256: and 64 hexadecimal digits, or sha512: and 128."
    )
  }

  package static func invalidChecksum(_ algorithm: String, byteCount: Int, found: Int)
    -> MartletError
  {
    MartletError(
      .invalidChecksum,
      "A checksum of the algorithm \(algorithm) has \(byteCount) bytes, not \(found).")
  }

  /// The digest is not the expected one. `source` names where the expected digest is from: “the server” or “the
  /// checksum”.
  package static func digestMismatch(
    _ algorithm: String, expected: String, found: String, source: String
  ) -> MartletError {
    MartletError(
      .digestMismatch,
      "The downloaded file is damaged or not the expected one, and was removed: its \(algorithm) is \(found), but \(source) says \(expected).",
      phase: .receive)
  }

  package static let notDelivered = MartletError(
    .fileNotWritable,
    "The transport did not deliver the body as requested: have it return the body as bytes or as a stream, or use another transport for downloads.",
    phase: .receive)

  package static func notReplaceable(_ url: URL) -> MartletError {
    MartletError(
      .fileNotWritable,
      "“\(url.path.masked)” is not a regular file, and is not replaced by one: choose another name, or stream the body and write it there.",
      phase: .receive)
  }

  /// Something that is not a folder has the name of a store's folder.
  package static func notAFolder(_ url: URL) -> MartletError {
    MartletError(
      .fileNotWritable,
      "“\(url.path.masked)” is not a folder, so it cannot hold incomplete downloads: move it away.",
      phase: .receive)
  }

  package static func notAFile(_ url: URL) -> MartletError {
    MartletError(
      .fileNotWritable, "“\(url.path.masked)” is a folder: give the file a name in it.",
      phase: .receive)
  }
}
