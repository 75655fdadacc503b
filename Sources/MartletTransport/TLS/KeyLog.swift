import Foundation
import MartletCore
import NIOCore

/// Writes the secrets of connections where Wireshark reads them.
///
/// The format is that of draft-ietf-tls-keylogfile, one line per secret.
final class KeyLog: Sendable {
  private let handle: Locked<FileHandle?>

  /// - Parameter path: The file, which is made if need be; lines are added at its end. One that cannot be
  ///   written to is not: no request fails for it.
  init(path: String) {
    // Only its owner may read it.
    let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    handle = Locked(file < 0 ? nil : FileHandle(fileDescriptor: file, closeOnDealloc: true))
  }

  func write(_ line: ByteBuffer) {
    handle.withLock { try? $0?.write(contentsOf: Data(line.readableBytesView)) }
  }
}
