import Martlet

/// All that can be compared: everything but the decoder.
extension ImageResponseSerializer {
  private struct Values: Hashable {
    let http: HTTPResponseSerializer
    let imageScale: Double
    let inflates: Bool
    let maximumInflatedPixels, maximumPixels: Int
  }

  private var values: Values {
    Values(
      http: http, imageScale: imageScale, inflates: inflatesImagesAutomatically,
      maximumInflatedPixels: maximumInflatedPixels, maximumPixels: maximumPixels)
  }

  /// Two serializers are equal when all but their decoders are.
  public static func == (left: Self, right: Self) -> Bool {
    left.values == right.values
  }

  /// Hashes all but the decoder.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(values)
  }
}
