import Foundation

/// Whether the end has come, in formats whose decoders make the rest of a picture up.
extension EncodedPicture {
  var isWhole: Bool {
    let bytes = PictureBytes(data)
    return switch format {
    case .jpeg: hasEndOfImage
    case .png: (try? Self.hasEnd(png: bytes)) ?? false
    case .webp: ((try? bytes.little(4, at: 4)) ?? 0) + 8 <= bytes.count
    case .tiff, .gif, .ico, .bmp, .xbm, .avif: true
    }
  }

  /// The end is marked by bytes that stand nowhere else behind the header (ITU T.81 §B.1.1.5).
  private var hasEndOfImage: Bool {
    guard let frame = try? Self.frame(jpeg: PictureBytes(data)).offset else { return false }
    return data.dropFirst(frame).range(of: Data([0xFF, 0xD9]), options: .backwards) != nil
  }

  /// One chunk behind the other, the last of type `IEND` (RFC 2083 §4.1.4).
  private static func hasEnd(png bytes: PictureBytes) throws -> Bool {
    var offset = 8
    while !bytes.has("IEND", at: offset + 4) {
      offset += try bytes.big(4, at: offset) + 12
    }
    return true
  }
}
