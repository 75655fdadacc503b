#if canImport(ImageIO) && !Images
import CoreGraphics
import EssentialFoundation
import ImageIO
import MartletEssentials
import UniformTypeIdentifiers

/// Decoding and encoding with ImageIO.
extension SystemImageDecoder {
  /// The formats that it decodes.
  public static let formats: Set<ImageFormat> = [
    .tiff, .jpeg, .gif, .png, .ico, .bmp, .webp, .avif,
  ]

  static func decode(_ picture: EncodedImage) throws -> Pixels {
    let header = picture.header
    let options: [CFString: Any] = [
      kCGImageSourceCreateThumbnailFromImageAlways: true,
      kCGImageSourceCreateThumbnailWithTransform: true,
      kCGImageSourceThumbnailMaxPixelSize: max(header.width, header.height),
    ]
    guard let source = CGImageSourceCreateWithData(picture.data as CFData, nil),
      CGImageSourceGetStatus(source) == .statusComplete,
      let image = CGImageSourceCreateThumbnailAtIndex(source, 0, options as CFDictionary)
    else { throw MartletError.notAnImage("it is broken") }
    var bytes = [UInt8](repeating: 0, count: image.width * image.height * 4)
    let isDrawn = bytes.withUnsafeMutableBytes { bytes in
      guard let context = context(bytes.baseAddress, image.width, image.height) else {
        return false
      }
      context.draw(image, in: CGRect(x: 0, y: 0, width: image.width, height: image.height))
      return true
    }
    guard isDrawn, let pixels = Pixels(width: image.width, height: image.height, bytes: bytes)
    else { throw MartletError.notAnImage("there is not enough memory") }
    return pixels
  }

  /// Rows of premultiplied red, green, blue and alpha.
  static func context(_ bytes: UnsafeMutableRawPointer?, _ width: Int, _ height: Int) -> CGContext?
  {
    CGContext(
      data: bytes, width: width, height: height, bitsPerComponent: 8, bytesPerRow: width * 4,
      space: CGColorSpaceCreateDeviceRGB(),
      bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue)
  }
}

extension SystemImageEncoder {
  static func encode(_ pixels: Pixels, as encoding: ImageOutputFormat) throws -> Data {
    var bytes = pixels.bytes
    let data = NSMutableData()
    let (type, options): (UTType, [CFString: Any])
    switch encoding {
    case .png: (type, options) = (.png, [:])
    case .jpeg(let quality):
      (type, options) = (.jpeg, [kCGImageDestinationLossyCompressionQuality: quality])
      bytes = pixels.overWhite
    }
    let image = bytes.withUnsafeMutableBytes { bytes in
      SystemImageDecoder.context(bytes.baseAddress, pixels.width, pixels.height)?.makeImage()
    }
    guard let image,
      let file = CGImageDestinationCreateWithData(data, type.identifier as CFString, 1, nil)
    else { throw MartletError.imageNotEncoded("there is not enough memory") }
    CGImageDestinationAddImage(file, image, options as CFDictionary)
    guard CGImageDestinationFinalize(file) else {
      throw MartletError.imageNotEncoded("ImageIO failed")
    }
    return data as Data
  }
}

extension Pixels {
  fileprivate var overWhite: [UInt8] {
    var bytes = bytes
    for pixel in Swift.stride(from: 0, to: bytes.count, by: 4) {
      let white = 255 - Int(bytes[pixel + 3])
      for channel in pixel..<pixel + 3 {
        bytes[channel] = UInt8(clamping: Int(bytes[channel]) + white)
      }
      bytes[pixel + 3] = 255
    }
    return bytes
  }
}
#endif

#if !Images && !canImport(ImageIO)
import MartletEssentials
import EssentialFoundation

/// Platforms without an image library.
extension SystemImageDecoder {
  /// The formats that it decodes.
  public static let formats: Set<ImageFormat> = []

  static func decode(_ picture: EncodedImage) throws -> Pixels {
    throw MartletError.notAnImage(
      "no image decoder is available (build with the package's trait Images, or set a decoder)")
  }
}

extension SystemImageEncoder {
  static func encode(_ pixels: Pixels, as encoding: ImageOutputFormat) throws -> Data {
    throw MartletError.imageNotEncoded(
      "no image encoder is available (build with the package's trait Images, or pass an encoder)")
  }
}
#endif
