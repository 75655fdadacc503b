import EssentialFoundation
import HTTPTypes
import MartletCore

/// The last head of a connection, remembered for the next: servers say nearly the same every time.
///
/// A head that comes again byte by byte is not read again, and of one that differs only those lines
/// are read that do.
struct HeadMemory {
  /// A head of more bytes is not worth its place.
  private static let limit = 4 << 10

  private var bytes: [UInt8] = []
  /// Where the field lines lie within `bytes`: one for each field.
  private var lines: [Range<Int>] = []
  private var head: HeadParser.Head?

  /// The fields that were remembered, one for each line.
  var fields: HTTPFields { head?.head.headers ?? HTTPFields() }

  /// The last head, if these are its bytes.
  func head(_ bytes: UnsafeRawBufferPointer) -> HeadParser.Head? {
    self.bytes.withUnsafeBytes { $0.isSame(as: bytes) } ? head : nil
  }

  /// Whether a line was remembered for the field at `index`.
  func hasLine(_ line: Slice<UnsafeRawBufferPointer>, at index: Int) -> Bool {
    guard index < lines.count else { return false }
    return bytes.withUnsafeBytes { bytes in
      UnsafeRawBufferPointer(rebasing: bytes[lines[index]])
        .isSame(as: UnsafeRawBufferPointer(rebasing: line))
    }
  }

  /// Remembers a head.
  ///
  /// - Parameters:
  ///   - head: What was read.
  ///   - bytes: All of its bytes.
  ///   - lines: Where its field lines lie. Where some were folded they are no guide to the fields, and
  ///     nothing is remembered.
  mutating func remember(
    _ head: HeadParser.Head, _ bytes: UnsafeRawBufferPointer, lines: [Range<Int>]
  ) {
    guard bytes.count <= Self.limit, lines.count == head.head.headers.count else {
      return self = HeadMemory()
    }
    self.bytes.removeAll(keepingCapacity: true)
    self.bytes.append(contentsOf: bytes)
    self.lines = lines
    self.head = head
  }
}
