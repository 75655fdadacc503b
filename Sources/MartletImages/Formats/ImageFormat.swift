public import EssentialFoundation

/// The image formats that are recognized by their first bytes.
public enum ImageFormat: String, CaseIterable, Hashable, Codable, Sendable {
  /// Tagged Image File Format.
  case tiff
  /// JPEG, in colour, grey or CMYK.
  case jpeg
  /// Graphics Interchange Format.
  case gif
  /// Portable Network Graphics.
  case png
  /// Windows icons and cursors.
  case ico
  /// Windows bitmaps.
  case bmp
  /// X bitmaps, which are C source.
  case xbm
  /// WebP.
  case webp
  /// AV1 Image File Format.
  case avif

  /// The format of an image; `nil` when it is not one of these.
  ///
  /// - Parameter data: The encoded image; its content type does not matter.
  public init?(of data: Data) {
    let bytes = ImageBytes(data)
    let format = Self.allCases.first { $0.begins(bytes) }
    guard let format else { return nil }
    self = format
  }

  private func begins(_ bytes: ImageBytes) -> Bool {
    switch self {
    case .tiff: bytes.hasBytes("II*\0") || bytes.hasBytes("MM\0*")
    case .jpeg: bytes.hasBytes([0xFF, 0xD8, 0xFF])
    case .gif: bytes.hasBytes("GIF87a") || bytes.hasBytes("GIF89a")
    case .png: bytes.hasBytes([0x89] + Array("PNG\r\n\u{1A}\n".utf8))
    case .ico: bytes.hasBytes([0, 0, 1, 0]) || bytes.hasBytes([0, 0, 2, 0])
    case .bmp: bytes.hasBytes("BM")
    case .xbm: bytes.hasBytes("#define ") || bytes.hasBytes("/*")
    case .webp: bytes.hasBytes("RIFF") && bytes.hasBytes("WEBP", at: 8)
    case .avif: bytes.hasBytes("ftyp", at: 4) && AVIFHeader.isAVIF(bytes)
    }
  }
}
