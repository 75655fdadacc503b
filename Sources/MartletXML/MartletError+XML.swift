import Martlet

extension MartletError {
  /// A document that cannot be read. The reason is a clause.
  static func notXML(_ reason: String, underlying: (any Error)? = nil) -> MartletError {
    undecodable(as: "XML", reason, underlying: underlying)
  }
}
