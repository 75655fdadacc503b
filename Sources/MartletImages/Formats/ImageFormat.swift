public import EssentialFoundation

/// The image formats that are recognised by their first bytes.
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
    case .tiff: bytes.has("II*\0") || bytes.has("MM\0*")
    case .jpeg: bytes.has([0xFF, 0xD8, 0xFF])
    case .gif: bytes.has("GIF87a") || bytes.has("GIF89a")
    case .png: bytes.has([0x89] + Array("PNG\r\n\u{1A}\n".utf8))
    case .ico: bytes.has([0, 0, 1, 0]) || bytes.has([0, 0, 2, 0])
    case .bmp: bytes.has("BM")
    case .xbm: bytes.has("#define ") || bytes.has("/*")
    case .webp: bytes.has("RIFF") && bytes.has("WEBP", at: 8)
    case .avif: bytes.has("ftyp", at: 4) && AVIFHeader.isAVIF(bytes)
    }
  }
}
