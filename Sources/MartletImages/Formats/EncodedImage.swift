import EssentialFoundation
import MartletEssentials

/// An encoded image, and its properties that are known without decoding it.
///
/// The headers are read here and not by the decoder's library: gdk-pixbuf decodes XBM and AVIF images completely before
/// it reports their size, and it reports no orientation before it has decoded the pixels.
struct EncodedImage {
  var format: ImageFormat
  /// The bytes for the decoder: the image, or the part of it that is decoded.
  var data: Data
  /// The number of pixels in a stored row.
  var width: Int
  /// The number of stored rows.
  var height: Int
  /// The orientation of rows and columns (EXIF 2.3, 4.6.4): 1 is upright; 5 to 8 exchange width and height.
  var orientation = 1

  var header: ImageHeader {
    orientation < 5
      ? ImageHeader(width: width, height: height) : ImageHeader(width: height, height: width)
  }

  init(format: ImageFormat, data: Data, width: Int, height: Int, orientation: Int = 1) throws {
    guard width > 0, height > 0 else { throw MartletError.notAnImage("it has no pixels") }
    self.format = format
    self.data = data
    self.width = width
    self.height = height
    self.orientation = orientation
  }

  init(reading data: Data) throws {
    guard !data.isEmpty else { throw MartletError.notAnImage("its body is empty") }
    guard let format = ImageFormat(of: data) else {
      throw MartletError.notAnImage("its format is not known")
    }
    let bytes = ImageBytes(data)
    self =
      switch format {
      case .tiff: try .tiff(bytes)
      case .jpeg: try .jpeg(bytes)
      case .gif: try .gif(bytes)
      case .png: try .png(bytes)
      case .ico: try .ico(bytes)
      case .bmp: try .bmp(bytes)
      case .xbm: try .xbm(bytes)
      case .webp: try .webp(bytes)
      case .avif: try .avif(bytes)
      }
  }
}

/// Checks before decoding, where decoders do not check this themselves: an image must be complete, and must not take
/// more memory than its header announces.
extension EncodedImage {
  /// The image in the form that the decoder receives.
  ///
  /// - Throws: `MartletError` when the image is cut off, in formats whose decoders fill in the rest, or when a part of
  ///   it is larger than the whole, in formats whose decoders do not check that.
  func checkedForDecoding() throws -> EncodedImage {
    var picture = self
    let bytes = ImageBytes(data)
    switch format {
    case .jpeg: try Self.require(hasEndOfImage)
    case .png: try Self.requireEnd(png: bytes)
    case .webp: try Self.require(bytes.littleEndian(4, at: 4) + 8 <= bytes.count)
    case .gif: picture.data = try GIFBlocks(bytes).firstFrame()
    case .tiff: try TIFFDirectory(bytes).requireSmallParts(pixels: header.pixels)
    // Each byte of the array is written as a number and a separator.
    case .xbm: try Self.require((width + 7) / 8 * height <= bytes.count)
    case .ico, .bmp, .avif: break
    }
    return picture
  }

  private static func require(_ isWhole: Bool) throws {
    guard isWhole else { throw MartletError.cutOffImage }
  }

  /// Whether the end marker occurs after the frame header. Its bytes do not occur in entropy-coded data (ITU T.81
  /// §B.1.1.5).
  private var hasEndOfImage: Bool {
    guard let frame = try? Self.frame(jpeg: ImageBytes(data)).offset else { return false }
    return data.dropFirst(frame).lastRange(of: Data([0xFF, 0xD9])) != nil
  }

  /// Goes from chunk to chunk up to the last one, of type `IEND` (RFC 2083 §4.1.4).
  private static func requireEnd(png bytes: ImageBytes) throws {
    var offset = 8
    while !bytes.hasBytes("IEND", at: offset + 4) {
      offset += try bytes.bigEndian(4, at: offset) + 12
    }
  }
}

extension MartletError {
  /// An image with a part that is larger than the size in the header.
  static var oversizedImage: MartletError {
    notAnImage("its contents do not match the size in its header")
  }
}
