import Crypto
public import Foundation
public import MartletCore

/// A download that a store has begun, and that is not complete.
public struct StoredDownload: Hashable, Codable, Identifiable, Sendable {
  /// Tells the downloads of a store apart: what it is made of is the URL and the destination.
  public let id: String
  /// Where the file goes: a folder, or the file's own URL.
  public let destination: URL
  /// Whether a file that stands there is replaced.
  public let replacesExisting: Bool
  /// What the file must come to, if the caller said so.
  public let checksum: Checksum?
  /// When it was begun.
  public let begun: Date
  /// The request, and what there is. The header fields may be changed before it is resumed, to put a new token
  /// in place of an old one for example.
  public var resumeData: ResumeData

  init(
    _ resumeData: ResumeData, destination: URL, replacesExisting: Bool, checksum: Checksum?,
    begun: Date
  ) {
    id = Self.id(resumeData.url, destination)
    self.destination = destination
    self.replacesExisting = replacesExisting
    self.checksum = checksum
    self.resumeData = resumeData
    self.begun = begun
  }

  static func id(_ url: URL, _ destination: URL) -> String {
    let text = url.absoluteString + "\n" + destination.standardizedFileURL.path
    return String(SHA256.hash(data: Data(text.utf8)).hexadecimal.prefix(32))
  }
}

extension StoredDownload: CustomStringConvertible {
  /// The download as text; secrets are masked.
  public var description: String {
    "<StoredDownload: \(resumeData) to “\(destination.path.masked)”>"
  }
}
