/// The pixels of a decoded image, in rows from the top.
///
/// Each pixel has four bytes: red, green, blue and alpha. The colours are multiplied by alpha.
public struct Pixels: Hashable, Sendable {
  /// How many pixels a row has.
  public let width: Int
  /// How many rows there are.
  public let height: Int
  /// The bytes: `width × height × 4`, without padding between rows.
  public let bytes: [UInt8]

  /// Pixels from their bytes; `nil` when there are not `width × height × 4` bytes, or a size is not above 0.
  ///
  /// - Parameters:
  ///   - width: How many pixels a row has.
  ///   - height: How many rows there are.
  ///   - bytes: Red, green, blue and alpha of each pixel, the colours multiplied by alpha.
  public init?(width: Int, height: Int, bytes: [UInt8]) {
    let (count, overflows) = width.multipliedReportingOverflow(by: height)
    guard width > 0, height > 0, !overflows, bytes.count / 4 == count, bytes.count % 4 == 0 else {
      return nil
    }
    self.width = width
    self.height = height
    self.bytes = bytes
  }
}

/// Conversion between colours that are multiplied by alpha and those that are not.
extension Pixels {
  /// Pixels from rows in the layout of most libraries.
  ///
  /// - Parameters:
  ///   - width: How many pixels a row has.
  ///   - height: How many rows there are.
  ///   - rows: Red, green, blue and, with four channels, alpha.
  ///   - stride: The number of bytes between the beginnings of two rows.
  ///   - channels: 3 or 4.
  ///   - isPremultiplied: Whether the colours are multiplied by alpha already.
  init?(
    width: Int, height: Int, rows: UnsafePointer<UInt8>, stride: Int, channels: Int,
    isPremultiplied: Bool
  ) {
    let count = width * height * 4
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
      for y in 0..<height {
        for x in 0..<width {
          let source = rows + y * stride + x * channels
          let target = (y * width + x) * 4
          let alpha = channels == 4 ? source[3] : 255
          for channel in 0..<3 {
            bytes[target + channel] =
              isPremultiplied || alpha == 255
              ? source[channel] : source[channel].multiplied(by: alpha)
          }
          bytes[target + 3] = alpha
        }
      }
      filled = count
    }
    self.init(width: width, height: height, bytes: bytes)
  }

  /// Red, green, blue and alpha of each pixel, the colours not multiplied.
  var straightBytes: [UInt8] {
    var bytes = bytes
    for pixel in Swift.stride(from: 0, to: bytes.count, by: 4) {
      let alpha = bytes[pixel + 3]
      guard alpha < 255 else { continue }
      for channel in pixel..<pixel + 3 { bytes[channel] = bytes[channel].divided(by: alpha) }
    }
    return bytes
  }

  /// Red, green and blue of each pixel, laid over white.
  var opaqueBytes: [UInt8] {
    var opaque: [UInt8] = []
    opaque.reserveCapacity(bytes.count / 4 * 3)
    for pixel in Swift.stride(from: 0, to: bytes.count, by: 4) {
      let white = 255 - bytes[pixel + 3]
      for channel in pixel..<pixel + 3 {
        // A colour above its alpha is invalid, but `init` accepts it.
        opaque.append(UInt8(clamping: Int(bytes[channel]) + Int(white)))
      }
    }
    return opaque
  }

  /// Whether all pixels are opaque.
  var isOpaque: Bool {
    Swift.stride(from: 3, to: bytes.count, by: 4).allSatisfy { bytes[$0] == 255 }
  }
}

extension UInt8 {
  /// The colour times alpha, rounded.
  fileprivate func multiplied(by alpha: UInt8) -> UInt8 {
    UInt8(clamping: (Int(self) * Int(alpha) + 127) / 255)
  }

  /// The colour before it was multiplied, as exactly as possible.
  fileprivate func divided(by alpha: UInt8) -> UInt8 {
    alpha == 0 ? 0 : UInt8(clamping: (Int(self) * 255 + Int(alpha) / 2) / Int(alpha))
  }
}
