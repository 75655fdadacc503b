public import EssentialFoundation
public import MartletEssentials
import MartletCore
import NIOCore

/// Turns responses into ``RasterImage`` values.
///
/// A body that is not an image, such as an empty body, is an error (RES-I5 differs: it is a success without an image).
/// The format is recognized by the body itself; the content type only decides whether the response is acceptable.
///
/// The decoder is neither compared by `==` nor archived.
public struct ImageResponseSerializer: HTTPResponseSerializing, Hashable, Codable {
  /// The acceptable responses: by default 200 to 299 with one of ``defaultContentTypes``.
  public var http = HTTPResponseSerializer(acceptableContentTypes: defaultContentTypes)
  /// The number of pixels per point. The default is 1.
  public var imageScale = 1.0
  /// Whether images are decoded at once, and not when their pixels are first used. The default is true.
  ///
  /// An image that is decoded later may be broken after its header; ``RasterImage/pixels()`` then throws the error. An
  /// image whose format the decoder does not support is also returned without being decoded, even if it is small
  /// (RES-I4).
  public var inflatesImagesAutomatically = true
  /// The maximum number of pixels of an image that is decoded at once.
  ///
  /// Larger images are always decoded on first use, because most are shown at a smaller size. The default is 1 048 576,
  /// which is 4 MiB when decoded (RES-I4).
  public var maximumInflatedPixels = 1 << 20
  /// The maximum number of pixels of an image, by its header. The default is ``RasterImage/maximumPixels``.
  ///
  /// An image with more pixels is an error, and is not decoded.
  public var maximumPixels = RasterImage.maximumPixels
  /// Decodes the images. The default is the platform's.
  public var decoder: any ImageDecoder = SystemImageDecoder()

  private enum CodingKeys: CodingKey {
    case http, imageScale, inflatesImagesAutomatically, maximumInflatedPixels, maximumPixels
  }

  /// `image/tiff`, `image/jpeg`, `image/gif`, `image/png`, `image/ico`, `image/x-icon`, `image/bmp`,
  /// `image/x-bmp`, `image/x-xbitmap`, `image/x-win-bitmap`, `image/webp` and `image/avif`.
  public static let defaultContentTypes: Set = [
    "image/tiff", "image/jpeg", "image/gif", "image/png", "image/ico", "image/x-icon", "image/bmp",
    "image/x-bmp", "image/x-xbitmap", "image/x-win-bitmap", "image/webp", "image/avif",
  ]

  /// A serializer.
  ///
  /// - Parameters:
  ///   - imageScale: The number of pixels per point. The default is 1.
  ///   - decoder: Decodes the images. The default is the platform's.
  public init(imageScale: Double = 1, decoder: any ImageDecoder = SystemImageDecoder()) {
    self.imageScale = imageScale
    self.decoder = decoder
  }

  /// Turns a response into an image.
  ///
  /// The image is decoded on the caller's thread. Use ``image(of:)`` where the thread must not be blocked.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - data: Its body.
  /// - Returns: The image; decoded, if ``inflatesImagesAutomatically`` is true and it is not too large.
  /// - Throws: `MartletError` with code `.decodingFailed`, or with one of the codes of `decode(_:data:with:)`.
  public func serialize(_ response: Response, data: Data) throws -> RasterImage {
    try decode(response, data: data, with: image(of:))
  }

  private func image(of data: Data) throws -> RasterImage {
    guard !data.isEmpty else { throw MartletError.notAnImage("its body is empty") }
    let image = try RasterImage(
      data, decoder: decoder, scale: imageScale, maximumPixels: maximumPixels)
    if inflatesImagesAutomatically, image.header.pixels <= maximumInflatedPixels,
      decoder.canDecode(data)
    {
      _ = try image.pixels()
    }
    return image
  }
}

/// The properties that are compared: all but the decoder.
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

  /// Compares all properties but the decoders.
  public static func == (left: Self, right: Self) -> Bool {
    left.values == right.values
  }

  /// Hashes all properties but the decoder.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(values)
  }
}

extension ImageResponseSerializer {
  /// Turns a response into an image, decoded outside of the caller's actor and the engine's threads.
  ///
  ///     for await outcome in api.send(requests) {
  ///       show(try await serializer.image(of: outcome.response))
  ///     }
  ///
  /// - Parameter response: The response, whose body is consumed.
  /// - Returns: The image; decoded, if ``inflatesImagesAutomatically`` is true and it is not too large.
  /// - Throws: `MartletError`; see ``serialize(_:data:)``.
  public func image(of response: Response) async throws -> RasterImage {
    let body = try await response.body.collect()
    // Even a few bytes may hold many pixels.
    return try await runOnGlobalExecutor { try await image(of: response, body) }
  }

  @concurrent
  private func image(of response: Response, _ body: ByteBuffer) async throws -> RasterImage {
    try serialize(response, data: Data(body.readableBytesView))
  }
}
