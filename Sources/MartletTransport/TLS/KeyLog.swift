import EssentialFoundation
import MartletCore
import NIOCore
import SystemPackage

/// Writes the secrets of connections where Wireshark reads them.
///
/// The format is that of draft-ietf-tls-keylogfile, one line per secret.
final class KeyLog: Sendable {
  private let file: OpenFile?

  /// - Parameter path: The file, which is made if need be; lines are added at its end. One that cannot be
  ///   written to is not: no request fails for it.
  init(path: String) {
    file = try? OpenFile(
      URL(fileURLWithPath: path), options: [.create, .append], permissions: .ownerReadWrite)
  }

  func write(_ line: ByteBuffer) {
    try? file?.write(line)
  }
}
