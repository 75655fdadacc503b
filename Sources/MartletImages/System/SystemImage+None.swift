#if !Images && !canImport(ImageIO)
import Martlet
import Foundation

/// Where nothing decodes pictures.
extension SystemImageDecoder {
  /// The formats that it decodes.
  public static let formats: Set<ImageFormat> = []

  static func decode(_ picture: EncodedPicture) throws -> Pixels {
    throw MartletError.notAnImage(
      "nothing here decodes pictures (build with the package's trait Images, or set a decoder)")
  }
}

extension SystemImageEncoder {
  static func encode(_ pixels: Pixels, as encoding: ImageEncoding) throws -> Data {
    throw MartletError.imageNotEncoded(
      "nothing here encodes pictures (build with the package's trait Images, or pass an encoder)")
  }
}
#endif
