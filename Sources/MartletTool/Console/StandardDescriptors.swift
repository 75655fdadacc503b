import Foundation

/// Standard input, output and error.
enum StandardDescriptors {
  /// Opens `/dev/null` in place of each that is closed, so that no other file or socket gets its number.
  ///
  /// It can only be read: input is empty then, and what is written to output fails, as it would without.
  static func fill() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", O_RDONLY)
    }
  }
}
