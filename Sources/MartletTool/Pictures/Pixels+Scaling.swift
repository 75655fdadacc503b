import MartletImages

extension Pixels {
  /// The picture with fewer pixels, each the mean of those that it stands for.
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

  /// Which pixels of many one of few stands for: at least one.
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
