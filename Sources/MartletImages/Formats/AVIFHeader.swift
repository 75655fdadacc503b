import MartletEssentials

/// The boxes of an AVIF image that determine its size (ISO/IEC 14496-12 §4.2, 23008-12 §6.5).
struct AVIFHeader {
  private let meta: ImageBytes

  /// Whether the first box, of type `ftyp`, names a brand of AVIF.
  static func isAVIF(_ bytes: ImageBytes) -> Bool {
    guard let length = try? bytes.bigEndian(4, at: 0), length >= 16 else { return false }
    return stride(from: 8, to: min(length, 256), by: 4).contains {
      $0 != 12 && (bytes.hasBytes("avif", at: $0) || bytes.hasBytes("avis", at: $0))
    }
  }

  init(_ bytes: ImageBytes) throws {
    let meta = try MediaBox.all(in: bytes).first { $0.type == "meta" }
    guard let meta else { throw MartletError.notAnImage("its header is malformed") }
    self.meta = try meta.content.suffix(from: 4)
  }

  /// The size of the primary image, cropped and rotated as its properties specify.
  func size() throws -> (width: Int, height: Int) {
    var size: (width: Int, height: Int)?
    var turns = 0
    for property in try properties() {
      let content = property.content
      switch property.type {
      case "ispe": size = try (content.bigEndian(4, at: 4), content.bigEndian(4, at: 8))
      case "clap": size = try size.map { try Self.cropped($0, content) }
      case "irot": turns = try content.byte(at: 0) & 3
      default: break
      }
    }
    guard let size else { throw MartletError.notAnImage("its header is malformed") }
    return turns % 2 == 0 ? size : (size.height, size.width)
  }

  private static func cropped(_ size: (width: Int, height: Int), _ clap: ImageBytes) throws
    -> (width: Int, height: Int)
  {
    let numbers = try (0..<8).map { try clap.bigEndian(4, at: $0 * 4) }
    guard [1, 3, 5, 7].allSatisfy({ numbers[$0] > 0 }) else { return size }
    let width = min((2 * numbers[0] + numbers[1]) / (2 * numbers[1]), size.width)
    let height = min((2 * numbers[2] + numbers[3]) / (2 * numbers[3]), size.height)
    return width > 0 && height > 0 ? (width, height) : size
  }

  /// The properties of the primary image, in order.
  private func properties() throws -> [MediaBox] {
    let boxes = try MediaBox.all(in: meta)
    guard let primary = boxes.first(where: { $0.type == "pitm" })?.content,
      let list = boxes.first(where: { $0.type == "iprp" })?.content
    else { throw MartletError.notAnImage("its header is malformed") }
    let item = try primary.bigEndian(primary.byte(at: 0) == 0 ? 2 : 4, at: 4)
    let parts = try MediaBox.all(in: list)
    let all = try parts.first { $0.type == "ipco" }.map { try MediaBox.all(in: $0.content) } ?? []
    let associations = try parts.filter { $0.type == "ipma" }.flatMap {
      try Self.associations(of: item, in: $0.content)
    }
    return associations.compactMap { all.indices.contains($0 - 1) ? all[$0 - 1] : nil }
  }

  /// The indices of an item's properties, from 1.
  private static func associations(of item: Int, in box: ImageBytes) throws -> [Int] {
    let idLength = try box.byte(at: 0) == 0 ? 2 : 4
    let indexLength = try box.byte(at: 3) & 1 == 0 ? 1 : 2
    var offset = 8
    for _ in 0..<(try box.bigEndian(4, at: 4)) {
      let id = try box.bigEndian(idLength, at: offset)
      let count = try box.byte(at: offset + idLength)
      offset += idLength + 1
      if id == item {
        return try (0..<count).map {
          try box.bigEndian(indexLength, at: offset + $0 * indexLength)
            & (indexLength == 1 ? 0x7F : 0x7FFF)
        }
      }
      offset += count * indexLength
    }
    return []
  }
}

extension EncodedImage {
  static func avif(_ bytes: ImageBytes) throws -> EncodedImage {
    let size = try AVIFHeader(bytes).size()
    return try EncodedImage(
      format: .avif, data: bytes.data, width: size.width, height: size.height)
  }
}

/// A box of a media file, such as an AVIF image (ISO/IEC 14496-12 §4.2): its type and its content.
struct MediaBox {
  let type: String
  let content: ImageBytes

  /// The complete boxes, in order; an incomplete last box is left out.
  static func all(in bytes: ImageBytes) throws -> [MediaBox] {
    var boxes: [MediaBox] = []
    var offset = 0
    while offset + 8 <= bytes.count {
      let (start, end) = try extent(ofBoxAt: offset, in: bytes)
      let type = try bytes.slice(offset + 4..<offset + 8).data
      guard end <= bytes.count else { break }
      boxes.append(
        MediaBox(
          type: String(decoding: type, as: UTF8.self), content: try bytes.slice(start..<end)))
      offset = end
    }
    return boxes
  }

  /// The offsets at which the content of a box begins and ends.
  private static func extent(ofBoxAt offset: Int, in bytes: ImageBytes) throws
    -> (start: Int, end: Int)
  {
    switch try bytes.bigEndian(4, at: offset) {
    // The box extends to the end of the data.
    case 0: return (offset + 8, bytes.count)
    // The length follows, in eight bytes. A box whose length needs more than the last four is never complete.
    case 1:
      let length =
        try bytes.bigEndian(4, at: offset + 8) == 0 ? bytes.bigEndian(4, at: offset + 12) : nil
      guard let length else { return (offset + 16, .max) }
      if length >= 16 { return (offset + 16, offset + length) }
    case let length where length >= 8: return (offset + 8, offset + length)
    default: break
    }
    throw MartletError.notAnImage("its header is malformed")
  }
}
