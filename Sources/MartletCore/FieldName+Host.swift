package import HTTPTypes

extension HTTPField.Name {
  /// Whether this is `Host`, which swift-http-types keeps to itself. Most names have another length.
  package var isHost: Bool { rawName.utf8.count == 4 && canonicalName == "host" }
}
