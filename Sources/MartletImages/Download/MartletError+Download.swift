import Foundation
import MartletCore

/// Downloads that bring no image.
extension MartletError {
  static func downloadCancelled(_ url: URL) -> MartletError {
    MartletError(.cancelled, "ImageDownloader cancelled URL request: \(url.masked)")
  }

  static func noImageMade(of url: URL) -> MartletError {
    MartletError(
      .decodingFailed,
      "The response serializer made no image of \(url.masked): give the session manager an ImageResponseSerializer.",
      phase: .decode)
  }
}
