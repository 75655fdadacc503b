public import Foundation

extension URL {
  /// The size of the file, in bytes.
  public var fileSize: Int {
    get throws { try resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0 }
  }
}
