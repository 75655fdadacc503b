import EssentialFoundation
import MartletEssentials

/// The bytes of an image, read with bounds checks.
struct ImageBytes {
  let data: Data

  init(_ data: Data) {
    self.data = data
  }

  var count: Int { data.count }

  /// Whether the expected bytes are at an offset.
  func hasBytes(_ expected: [UInt8], at offset: Int = 0) -> Bool {
    data.dropFirst(offset).starts(with: expected)
  }

  func hasBytes(_ expected: String, at offset: Int = 0) -> Bool {
    hasBytes(Array(expected.utf8), at: offset)
  }

  func byte(at offset: Int) throws -> Int {
    guard offset >= 0, offset < count else { throw MartletError.cutOffImage }
    return Int(data[data.startIndex + offset])
  }

  /// The little-endian number at an offset, of at most four bytes.
  func littleEndian(_ length: Int, at offset: Int) throws -> Int {
    try (0..<length).reversed().reduce(0) { try $0 << 8 | byte(at: offset + $1) }
  }

  /// The big-endian number at an offset, of at most four bytes.
  func bigEndian(_ length: Int, at offset: Int) throws -> Int {
    try (0..<length).reduce(0) { try $0 << 8 | byte(at: offset + $1) }
  }

  /// The bytes in a range.
  func slice(_ range: Range<Int>) throws -> ImageBytes {
    guard range.lowerBound >= 0, range.upperBound <= count else {
      throw MartletError.cutOffImage
    }
    let start = data.startIndex
    return ImageBytes(data[start + range.lowerBound..<start + range.upperBound])
  }

  /// The bytes from an offset to the end.
  func suffix(from offset: Int) throws -> ImageBytes {
    guard offset <= count else { throw MartletError.cutOffImage }
    return try slice(offset..<count)
  }
}

extension MartletError {
  static var cutOffImage: MartletError { notAnImage("it is cut off") }
}
