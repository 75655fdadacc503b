import EssentialFoundation
import MartletEssentials

/// The blocks of a GIF image (GIF89a appendix B): a screen, and frames that are drawn on it.
struct GIFBlocks {
  private let bytes: ImageBytes
  /// The bytes before the first block: the screen and its colour table.
  private let head: Range<Int>

  init(_ bytes: ImageBytes) throws {
    self.bytes = bytes
    head = try 0..<13 + Self.colours(at: 10, of: bytes)
  }

  /// The image with its first frame only.
  ///
  /// gdk-pixbuf would keep all frames, and allocates memory for a frame of any size, however small the screen is.
  ///
  /// - Throws: `MartletError` when a block is cut off, there is no frame, or the first frame has more pixels than the
  ///   screen.
  func firstFrame() throws -> Data {
    var frame: [Range<Int>] = []
    var control: [Range<Int>] = []
    var offset = head.upperBound
    while true {
      let start = offset
      switch try bytes.byte(at: offset) {
      case 0x21:
        offset = try end(ofBlocksAt: start + 2)
        if try isControl(start..<offset) { control = [start..<offset] }
      case 0x2C:
        offset = try end(ofBlocksAt: start + 11 + Self.colours(at: start + 9, of: bytes))
        if frame.isEmpty {
          try requireFitting(start)
          frame = control + [start..<offset]
        }
      case 0x3B:
        guard !frame.isEmpty else { throw MartletError.notAnImage("it has no pixels") }
        return try ([head] + frame).reduce(into: Data()) { try $0 += bytes.slice($1).data } + [0x3B]
      // Decoders skip such bytes, too, up to the next block.
      default: offset += 1
      }
    }
  }

  /// The size of the colour table that the flags at an offset announce, in bytes.
  private static func colours(at flags: Int, of bytes: ImageBytes) throws -> Int {
    let flags = try bytes.byte(at: flags)
    return flags & 0x80 == 0 ? 0 : 3 << (flags & 7 + 1)
  }

  /// The offset after the sub-blocks that begin at an offset; an empty sub-block ends them.
  private func end(ofBlocksAt offset: Int) throws -> Int {
    var offset = offset
    while case let length = try bytes.byte(at: offset), length > 0 { offset += length + 1 }
    return offset + 1
  }

  /// Whether an extension is the control block of the next frame (GIF89a §23).
  private func isControl(_ range: Range<Int>) throws -> Bool {
    range.count == 8 && bytes.hasBytes([0xF9, 4], at: range.lowerBound + 1)
  }

  private func requireFitting(_ frame: Int) throws {
    let screen = try bytes.littleEndian(2, at: 6) * bytes.littleEndian(2, at: 8)
    let size = try bytes.littleEndian(2, at: frame + 5) * bytes.littleEndian(2, at: frame + 7)
    guard size <= screen else { throw MartletError.oversizedImage }
  }
}
