public import EssentialFoundation
public import MartletEssentials
import MartletCore
import NIOCore

/// Turns pictures into ``RasterImage``.
///
/// A body that is no picture, an empty one included, is an error (in place of RES-I5). The format is found in
/// the body itself; the content type only says whether the response is acceptable.
///
/// Two serializers are equal when all but their decoders are, and archives leave these out.
public struct ImageResponseSerializer: HTTPResponseSerializing, Hashable, Codable {
  /// Which responses are acceptable: by default 200 to 299 with one of ``defaultContentTypes``.
  public var http = HTTPResponseSerializer(acceptableContentTypes: defaultContentTypes)
  /// How many pixels make a point. The default is 1.
  public var imageScale = 1.0
  /// Whether pictures are decoded at once, rather than when their pixels are first asked for. The default is
  /// true.
  ///
  /// One that is decoded later may turn out to be broken behind its header: then its pixels are the error. A
  /// picture whose format the decoder cannot decode is returned as it came, too, whatever its size (RES-I4).
  public var inflatesImagesAutomatically = true
  /// Pictures of more pixels than this are decoded when they are first asked for in any case, for most are
  /// shown smaller. The default is 1 048 576, which is 4 MiB when decoded (RES-I4).
  public var maximumInflatedPixels = 1 << 20
  /// How many pixels a picture may have, by its header: one that says it has more is an error, and nothing of
  /// it is decoded. The default is ``RasterImage/maximumPixels``.
  public var maximumPixels = RasterImage.maximumPixels
  /// Decodes the pictures. The default is the platform's.
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
  ///   - imageScale: How many pixels make a point. The default is 1.
  ///   - decoder: Decodes the pictures. The default is the platform's.
  public init(imageScale: Double = 1, decoder: any ImageDecoder = SystemImageDecoder()) {
    self.imageScale = imageScale
    self.decoder = decoder
  }

  /// The picture.
  ///
  /// It is decoded on the caller's thread: use ``image(of:)`` where that should not wait.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - data: Its body.
  /// - Returns: The picture, decoded if it is to be.
  /// - Throws: `MartletError` with code `.decodingFailed`, or one of those of `decode(_:data:with:)`.
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

extension ImageResponseSerializer {
  /// The picture of a response, decoded away from the caller's actor and from an engine's thread.
  ///
  ///     for await outcome in api.send(requests) {
  ///       show(try await serializer.image(of: outcome.response))
  ///     }
  ///
  /// - Parameter response: The response, whose body is taken.
  /// - Returns: The picture, decoded if it is to be.
  /// - Throws: `MartletError`; see ``serialize(_:data:)``.
  public func image(of response: Response) async throws -> RasterImage {
    let body = try await response.body.collect()
    // However few bytes there are, they may be many pixels.
    return try await runOnGlobalExecutor { try await image(of: response, body) }
  }

  @concurrent
  private func image(of response: Response, _ body: ByteBuffer) async throws -> RasterImage {
    try serialize(response, data: Data(body.readableBytesView))
  }
}
