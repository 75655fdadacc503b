/// A decoded picture: rows of pixels from the top, each four bytes, red, green, blue and alpha, with
/// the colours already multiplied by alpha.
public struct Pixels: Hashable, Sendable {
  /// How many pixels a row has.
  public let width: Int
  /// How many rows there are.
  public let height: Int
  /// The bytes: `width × height × 4`, no row padded.
  public let bytes: [UInt8]

  /// Pixels from their bytes, or `nil` when these are not `width × height × 4`.
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

/// Colours that are multiplied by alpha, and those that are not.
extension Pixels {
  /// Pixels from rows as most libraries have them.
  ///
  /// - Parameters:
  ///   - width: How many pixels a row has.
  ///   - height: How many rows there are.
  ///   - rows: Red, green, blue and, of four channels, alpha.
  ///   - stride: How many bytes are between the beginnings of two rows.
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
        // A colour above its alpha is no colour, but may have been given.
        opaque.append(UInt8(clamping: Int(bytes[channel]) + Int(white)))
      }
    }
    return opaque
  }

  /// Whether no pixel lets anything through.
  var isOpaque: Bool {
    Swift.stride(from: 3, to: bytes.count, by: 4).allSatisfy { bytes[$0] == 255 }
  }
}

extension UInt8 {
  /// The colour times alpha, rounded.
  fileprivate func multiplied(by alpha: UInt8) -> UInt8 {
    UInt8(clamping: (Int(self) * Int(alpha) + 127) / 255)
  }

  /// The colour before it was multiplied, as far as that can be known.
  fileprivate func divided(by alpha: UInt8) -> UInt8 {
    alpha == 0 ? 0 : UInt8(clamping: (Int(self) * 255 + Int(alpha) / 2) / Int(alpha))
  }
}
