import MartletEssentials

/// The first directory of a TIFF file (TIFF 6.0 §2) or of EXIF data, which has the same form.
struct TIFFDirectory {
  private let bytes: ImageBytes
  private let isLittle: Bool
  private let entries: Range<Int>

  init(_ bytes: ImageBytes) throws {
    self.bytes = bytes
    isLittle = bytes.hasBytes("II")
    let start = try Self.number(4, at: 4, of: bytes, isLittle)
    let count = try Self.number(2, at: start, of: bytes, isLittle)
    entries = start + 2..<start + 2 + count * 12
  }

  /// The number of a tag; `nil` when the tag is not there or has several numbers.
  ///
  /// - Throws: `MartletError` when the number is of a type that is not supported here, because the decoder might
  ///   support it.
  func number(of tag: Int) throws -> Int? {
    for entry in stride(from: entries.lowerBound, to: entries.upperBound, by: 12)
    where try number(2, at: entry) == tag {
      guard try number(4, at: entry + 4) == 1 else { return nil }
      switch try number(2, at: entry + 2) {
      case 3: return try number(2, at: entry + 8)
      case 4: return try number(4, at: entry + 8)
      default: throw MartletError.notAnImage("its header is malformed")
      }
    }
    return nil
  }

  /// The orientation of rows and columns; 1 unless the tag has another valid value.
  func orientation() throws -> Int {
    guard let value = try number(of: 274), (1...8).contains(value) else { return 1 }
    return value
  }

  /// Checks the memory that the decoder allocates for a tile or for some rows.
  ///
  /// A tile may be larger than the image, and its pixels may have a thousand samples.
  ///
  /// - Parameter pixels: The number of pixels of the image.
  /// - Throws: `MartletError` when the memory could be more than 64 MiB and more than 16 bytes for each pixel.
  func requireSmallParts(pixels: Int) throws {
    let tile = try (width: number(of: 322), height: number(of: 323))
    let part =
      if let width = tile.width, let height = tile.height {
        Double(width) * Double(height)
      } else {
        Double(pixels)
      }
    // No supported sample has more than two bytes.
    let bytes = try part * Double(number(of: 277) ?? 1) * 2
    guard bytes <= max(Double(pixels) * 16, Double(64 << 20)) else {
      throw MartletError.oversizedImage
    }
  }

  private func number(_ length: Int, at offset: Int) throws -> Int {
    try Self.number(length, at: offset, of: bytes, isLittle)
  }

  private static func number(
    _ length: Int, at offset: Int, of bytes: ImageBytes, _ isLittle: Bool
  ) throws -> Int {
    try isLittle ? bytes.littleEndian(length, at: offset) : bytes.bigEndian(length, at: offset)
  }
}

extension EncodedImage {
  static func tiff(_ bytes: ImageBytes) throws -> EncodedImage {
    let directory = try TIFFDirectory(bytes)
    guard let width = try directory.number(of: 256), let height = try directory.number(of: 257)
    else { throw MartletError.notAnImage("its header is malformed") }
    return try EncodedImage(
      format: .tiff, data: bytes.data, width: width, height: height,
      orientation: directory.orientation())
  }
}
