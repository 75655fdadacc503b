public import EssentialFoundation
import MartletEssentials
import MartletCore
import NIOConcurrencyHelpers

/// An image: its encoded bytes, and its pixels.
///
/// The image is decoded once, on first use or before, and all its copies share the pixels.
public struct RasterImage: Sendable {
  /// The number of pixels per point: 2 for an image that is shown at half its size.
  public let scale: Double
  private let content: Content

  private final class Content: Sendable {
    let data: Data
    let header: ImageHeader
    let decoder: any ImageDecoder
    let pixels = Locked<Pixels?>(nil)
    /// Held while the image is decoded, which may take seconds. The lock of `pixels` is not held meanwhile.
    let decoding = NIOLock()

    init(data: Data, header: ImageHeader, decoder: any ImageDecoder) {
      self.data = data
      self.header = header
      self.decoder = decoder
    }
  }

  /// The default maximum number of pixels of an image: 67 108 864, which is 8192 × 8192, and 256 MiB when decoded.
  public static let maximumPixels = 64 << 20

  /// An image whose pixels are decoded on first use.
  ///
  /// - Parameters:
  ///   - data: The encoded image.
  ///   - decoder: Decodes it. The default is the platform's.
  ///   - scale: The number of pixels per point. The default is 1; a value that is not finite and above 0 counts as 1.
  ///   - maximumPixels: The maximum number of pixels. The default is ``RasterImage/maximumPixels``.
  /// - Throws: `MartletError` with code `.decodingFailed` when the bytes are not an image, or when its header announces
  ///   more pixels. Nothing is decoded then.
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

  /// The encoded bytes.
  public var data: Data { content.data }

  /// The header, which has the size.
  var header: ImageHeader { content.header }

  /// How many pixels a row has.
  public var pixelWidth: Int { header.width }

  /// How many rows of pixels there are.
  public var pixelHeight: Int { header.height }

  /// The width at which it is shown, in points.
  public var width: Double { Double(pixelWidth) / scale }

  /// The height at which it is shown, in points.
  public var height: Double { Double(pixelHeight) / scale }

  /// Whether the pixels have been decoded; does not wait while they are being decoded.
  public var isInflated: Bool { content.pixels.withLock { $0 != nil } }

  /// The pixels, which are decoded now unless they have been before.
  ///
  /// - Returns: The pixels.
  /// - Throws: `MartletError` with code `.decodingFailed` when the image is cut off or broken.
  public func pixels() throws -> Pixels {
    if let pixels = content.pixels.current { return pixels }
    return try content.decoding.withLock {
      if let pixels = content.pixels.current { return pixels }
      let decoded = try content.decoder.pixels(of: content.data)
      content.pixels.withLock { $0 = decoded }
      return decoded
    }
  }

  /// Whether both are copies of the same image, and not only equal images (IMC-14).
  public func isIdentical(to other: RasterImage) -> Bool {
    content === other.content
  }
}

extension RasterImage {
  /// The image as a PNG file. Colours are reduced to eight bits, and colours that are partly transparent are rounded.
  ///
  /// - Parameter encoder: Encodes it. The default is the platform's.
  /// - Returns: The bytes of the file.
  /// - Throws: `MartletError` when the image cannot be decoded or encoded.
  public func pngData(encoder: any ImageEncoder = SystemImageEncoder()) throws -> Data {
    try encoder.data(of: pixels(), as: .png)
  }

  /// The image as a JPEG file, in which transparent areas are white.
  ///
  /// - Parameters:
  ///   - quality: From 0, the worst, to 1. The default is 0.9.
  ///   - encoder: Encodes it. The default is the platform's.
  /// - Returns: The bytes of the file.
  /// - Throws: `MartletError` when the image cannot be decoded or encoded.
  public func jpegData(
    quality: Double = 0.9, encoder: any ImageEncoder = SystemImageEncoder()
  ) throws -> Data {
    try encoder.data(of: pixels(), as: .jpeg(quality: quality))
  }
}

extension MartletError {
  /// The error for an image that cannot be decoded. The reason is a clause.
  static func notAnImage(_ reason: String) -> MartletError {
    undecodable(as: "an image", reason)
  }

  /// The error for an image that cannot be encoded. The reason is a clause.
  static func imageNotEncoded(_ reason: String) -> MartletError {
    MartletError(.encodingFailed, "The image could not be encoded: \(reason).")
  }
}
