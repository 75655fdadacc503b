import Foundation
import Martlet

/// An encoded picture, as far as it is known without decoding it.
///
/// The headers are read here, and not by the decoder's library: gdk-pixbuf decodes XBM and AVIF pictures
/// whole before it says how large they are, and no picture's orientation is known without its pixels.
struct EncodedPicture {
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
    let bytes = PictureBytes(data)
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
