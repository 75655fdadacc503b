import Foundation
import MartletCore

extension URL {
  /// Where a download lies until it has a place: a name of its own among the temporary files.
  static var temporaryDownload: URL {
    FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).martlet")
  }

  /// Moves the file; without a destination, or when it cannot be moved, it is deleted (SES-D4). It may stay
  /// where it is.
  ///
  /// - Parameter destination: Where to.
  /// - Returns: `destination`.
  /// - Throws: `MartletError` with code `.fileNotWritable`.
  func moved(to destination: URL?) async throws(MartletError) -> URL? {
    guard destination != self else { return destination }
    // After a move there is nothing left to delete.
    defer { try? FileManager.default.removeItem(at: self) }
    guard let destination else { return nil }
    return try await FinalName(destination, replacesExisting: false).receive(self)
  }
}
