import EssentialFoundation
import MartletEssentials

/// An encoded picture, as far as it is known without decoding it.
///
/// The headers are read here, and not by the decoder's library: gdk-pixbuf decodes XBM and AVIF pictures
/// whole before it says how large they are, and no picture's orientation is known without its pixels.
struct EncodedImage {
  var format: ImageFormat
  /// What the decoder gets: the picture, or that part of it that is to be decoded.
  var data: Data
  /// How many pixels a row has, as they are stored.
  var width: Int
  /// How many rows are stored.
  var height: Int
  /// How the rows and columns lie (EXIF 2.3, 4.6.4): 1 as they are seen, 5 to 8 on their side.
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

/// What may go to a decoder: a picture whose end has come, and for which no more memory is taken than it says.
extension EncodedImage {
  /// The picture as the decoder gets it.
  ///
  /// - Throws: `MartletError` when it is cut off, in formats whose decoders make the rest up, or when a part of it is
  ///   larger than the whole, in those whose decoders believe that.
  func whole() throws -> EncodedImage {
    var picture = self
    let bytes = ImageBytes(data)
    switch format {
    case .jpeg: try Self.require(hasEndOfImage)
    case .png: try Self.findEnd(png: bytes)
    case .webp: try Self.require(bytes.little(4, at: 4) + 8 <= bytes.count)
    case .gif: picture.data = try GIFBlocks(bytes).firstFrame()
    case .tiff: try TIFFDirectory(bytes).requireSmallParts(pixels: header.pixels)
    // Each byte of the array is a number, and what stands behind it.
    case .xbm: try Self.require((width + 7) / 8 * height <= bytes.count)
    case .ico, .bmp, .avif: break
    }
    return picture
  }

  private static func require(_ isWhole: Bool) throws {
    guard isWhole else { throw MartletError.cutOffImage }
  }

  /// The end is marked by bytes that stand nowhere else behind the header (ITU T.81 §B.1.1.5).
  private var hasEndOfImage: Bool {
    guard let frame = try? Self.frame(jpeg: ImageBytes(data)).offset else { return false }
    return data.dropFirst(frame).lastRange(of: Data([0xFF, 0xD9])) != nil
  }

  /// One chunk behind the other, the last of type `IEND` (RFC 2083 §4.1.4).
  private static func findEnd(png bytes: ImageBytes) throws {
    var offset = 8
    while !bytes.has("IEND", at: offset + 4) {
      offset += try bytes.big(4, at: offset) + 12
    }
  }
}

extension MartletError {
  /// A picture of which a part is larger than the header says that the whole is.
  static var oversizedImage: MartletError { notAnImage("it is not as large as it says") }
}
