/// What an archive keeps of the requests and responses.
struct ArchiveOptions: Sendable {
  /// The most bytes of a body.
  var bodyLimit: Int
  /// Whether secret fields, parameters and passwords are kept.
  var showsSecrets: Bool

  static let mask = "***"
}
