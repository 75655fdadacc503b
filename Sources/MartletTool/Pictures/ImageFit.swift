import MartletImages

/// The size of an image on a terminal, whose cells are twice as high as they are wide.
struct ImageFit: Equatable {
  /// How many columns it takes.
  let columns: Int
  /// How many half rows it takes.
  let halfRows: Int

  /// The size in the image's proportions, no wider than the terminal and no larger than the image.
  ///
  /// - Parameters:
  ///   - width: How many pixels a row has.
  ///   - height: How many rows of pixels there are.
  ///   - columns: How many columns the terminal has.
  init(width: Int, height: Int, columns: Int) {
    let fitting = max(min(width, columns), 1)
    // The height is limited, because a very tall image would scroll for a long time.
    let highest = fitting * 4
    let rows = Int((Double(height) * Double(fitting) / Double(width)).rounded())
    if rows <= highest {
      (self.columns, halfRows) = (fitting, max(rows, 1))
    } else {
      let narrow = Int((Double(width) * Double(highest) / Double(height)).rounded())
      (self.columns, halfRows) = (max(narrow, 1), highest)
    }
  }
}

extension Pixels {
  /// The image with fewer pixels. Each new pixel is the mean of the pixels that it replaces.
  func scaled(toWidth width: Int, height: Int) -> Pixels? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(width * height * 4)
    for y in 0..<height {
      let rows = span(y, of: height, in: self.height)
      for x in 0..<width {
        bytes.append(contentsOf: mean(of: span(x, of: width, in: self.width), rows))
      }
    }
    return Pixels(width: width, height: height, bytes: bytes)
  }

  /// The range of original pixels that one scaled pixel replaces: at least one.
  private func span(_ index: Int, of few: Int, in many: Int) -> Range<Int> {
    let start = index * many / few
    return start..<max((index + 1) * many / few, start + 1)
  }

  private func mean(of columns: Range<Int>, _ rows: Range<Int>) -> [UInt8] {
    var sums = (0, 0, 0, 0)
    for y in rows {
      for x in columns {
        let pixel = (y * width + x) * 4
        sums.0 += Int(bytes[pixel])
        sums.1 += Int(bytes[pixel + 1])
        sums.2 += Int(bytes[pixel + 2])
        sums.3 += Int(bytes[pixel + 3])
      }
    }
    let count = columns.count * rows.count
    return [sums.0, sums.1, sums.2, sums.3].map { UInt8(clamping: $0 / count) }
  }
}
