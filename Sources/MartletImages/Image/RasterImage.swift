public import EssentialFoundation
import MartletEssentials
import MartletCore
import NIOConcurrencyHelpers

/// A picture: the bytes that it came as, and its pixels.
///
/// It is decoded once, on first use or before, and all its copies share the pixels.
public struct RasterImage: Sendable {
  /// How many pixels make a point: 2 for a picture that is shown at half its size.
  public let scale: Double
  private let content: Content

  private final class Content: Sendable {
    let data: Data
    let header: ImageHeader
    let decoder: any ImageDecoder
    let pixels = Locked<Pixels?>(nil)
    /// Held while the picture is decoded, which may take seconds: `pixels` is not.
    let decoding = NIOLock()

    init(data: Data, header: ImageHeader, decoder: any ImageDecoder) {
      self.data = data
      self.header = header
      self.decoder = decoder
    }
  }

  /// How many pixels a picture may have unless something else is asked for: 67 108 864, which is
  /// 8192 × 8192, and 256 MiB when decoded.
  public static let maximumPixels = 64 << 20

  /// A picture whose pixels are decoded on first use.
  ///
  /// - Parameters:
  ///   - data: The encoded picture.
  ///   - decoder: Decodes it. The default is the platform's.
  ///   - scale: How many pixels make a point. The default is 1; what is not above 0 counts as 1.
  ///   - maximumPixels: How many pixels it may have. The default is ``RasterImage/maximumPixels``.
  /// - Throws: `MartletError` with code `.decodingFailed` when the bytes are no picture, or it says that
  ///   it has more pixels; nothing has been decoded then.
  public init(
    _ data: Data, decoder: any ImageDecoder = SystemImageDecoder(), scale: Double = 1,
    maximumPixels: Int = maximumPixels
  ) throws {
    let header = try decoder.header(of: data)
    guard header.pixels <= maximumPixels else {
      throw MartletError.notAnImage(
        "it has \(header.width) × \(header.height) pixels, and \(maximumPixels) are allowed"
          + " (see `maximumPixels`)")
    }
    self.scale = scale > 0 && scale.isFinite ? scale : 1
    content = Content(data: data, header: header, decoder: decoder)
  }

  /// The bytes that it came as.
  public var data: Data { content.data }

  /// What it says of itself.
  var header: ImageHeader { content.header }

  /// How many pixels a row has.
  public var pixelWidth: Int { header.width }

  /// How many rows of pixels there are.
  public var pixelHeight: Int { header.height }

  /// How wide it is shown, in points.
  public var width: Double { Double(pixelWidth) / scale }

  /// How high it is shown, in points.
  public var height: Double { Double(pixelHeight) / scale }

  /// Whether the pixels are decoded already; known at once, even while they are being decoded.
  public var isInflated: Bool { content.pixels.withLock { $0 != nil } }

  /// The pixels, decoded now unless they have been.
  ///
  /// - Returns: The pixels.
  /// - Throws: `MartletError` with code `.decodingFailed` when the picture is cut off or broken.
  public func pixels() throws -> Pixels {
    if let pixels = content.pixels.current { return pixels }
    return try content.decoding.withLock {
      if let pixels = content.pixels.current { return pixels }
      let decoded = try content.decoder.pixels(of: content.data)
      content.pixels.withLock { $0 = decoded }
      return decoded
    }
  }

  /// Whether this is the very same picture, not just an equal one (IMC-14).
  public func isIdentical(to other: RasterImage) -> Bool {
    content === other.content
  }
}

extension RasterImage {
  /// The picture as a PNG file, which loses nothing but how many bits a colour had beyond eight.
  ///
  /// - Parameter encoder: Encodes it. The default is the platform's.
  /// - Returns: The bytes of the file.
  /// - Throws: `MartletError` when the picture cannot be decoded, or not encoded.
  public func pngData(encoder: any ImageEncoder = SystemImageEncoder()) throws -> Data {
    try encoder.data(of: pixels(), as: .png)
  }

  /// The picture as a JPEG file, in which what is transparent is white.
  ///
  /// - Parameters:
  ///   - quality: From 0, the worst, to 1. The default is 0.9.
  ///   - encoder: Encodes it. The default is the platform's.
  /// - Returns: The bytes of the file.
  /// - Throws: `MartletError` when the picture cannot be decoded, or not encoded.
  public func jpegData(
    quality: Double = 0.9, encoder: any ImageEncoder = SystemImageEncoder()
  ) throws -> Data {
    try encoder.data(of: pixels(), as: .jpeg(quality: quality))
  }
}

extension MartletError {
  /// A picture that cannot be read. The reason is a clause.
  static func notAnImage(_ reason: String) -> MartletError {
    undecodable(as: "an image", reason)
  }

  /// A picture that cannot be written. The reason is a clause.
  static func imageNotEncoded(_ reason: String) -> MartletError {
    MartletError(.encodingFailed, "The image could not be encoded: \(reason).")
  }
}
