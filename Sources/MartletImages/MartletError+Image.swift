import Martlet

extension MartletError {
  /// A picture that cannot be read. The reason is a clause.
  static func notAnImage(_ reason: String) -> MartletError {
    undecodable(as: "an image", reason)
  }

  /// A picture that cannot be written. The reason is a clause.
  static func imageNotEncoded(_ reason: String) -> MartletError {
    MartletError(.encodingFailed, "The image could not be encoded: \(reason).")
  }
}
