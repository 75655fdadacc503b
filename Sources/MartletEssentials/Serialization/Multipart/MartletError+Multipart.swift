import EssentialFoundation
import MartletCore

/// Errors of forms that cannot be sent.
extension MartletError {
  static func methodWithoutForm(_ method: String) -> MartletError {
    MartletError(
      .invalidRequest, "A \(method) request cannot carry a form: use POST, PUT or PATCH.")
  }

  static func partLengthMismatch(_ name: String, announced: Int64, sent: Int64) -> MartletError {
    MartletError(
      .bodyLengthMismatch,
      "The part “\(name.masked)” was announced with \(announced) bytes but gave \(sent): the request was not completed.",
      phase: .send)
  }

  static func invalidPacketSize(_ size: Int) -> MartletError {
    MartletError(
      .invalidRequest,
      "The packet size is \(size), with which no data can be sent: give at least one byte."
    )
  }

  static func valueNotEncodable(_ name: String, in encoding: String.Encoding) -> MartletError {
    .invalidParameters(
      "the value at “\(name.masked)” holds characters that \(encoding) does not have")
  }

  static let boundaryTakesContentType = MartletError(
    .invalidHeader,
    "A multipart form sets its own “Content-Type”, which names the boundary between its parts: leave that header out."
  )

  static let noBodyToWrite = MartletError(
    .invalidRequest, "The request has no body that could be written to a file.")
}
