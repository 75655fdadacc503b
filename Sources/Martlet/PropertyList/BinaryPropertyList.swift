import Foundation
import MartletCore
import MartletEssentials

/// Reads property lists in the binary format, including those from untrusted sources.
///
/// Foundation's readers follow references without limits. A list that contains itself exhausts the stack. A list that
/// contains another list twice, which contains the next list twice, and so on, exhausts the memory. Both need only 200
/// bytes. This reader limits depth and size.
struct BinaryPropertyList {
  private let objects: BinaryObjects

  /// `nil` for data that is not in this format.
  init?(_ data: Data) throws(MartletError) {
    guard data.starts(with: BinaryObjects.magic) else { return nil }
    objects = try BinaryObjects(Array(data))
  }

  func value() throws(MartletError) -> PropertyList {
    var limits = RemainingLimits(size: objects.bytes.count)
    return try value(objects.top, within: &limits)
  }

  private func value(_ number: Int, within limits: inout RemainingLimits) throws(MartletError)
    -> PropertyList
  {
    try limits.descend()
    defer { limits.ascend() }
    let object = try objects.offset(of: number)
    let marker = try objects.slice(object, 1)[object]
    let (kind, detail) = (marker >> 4, Int(marker & 0xF))
    switch kind {
    case 0x0 where detail == 8 || detail == 9: return .bool(detail == 9)
    case 0x1: return try integer(try objects.slice(object + 1, try objects.width(detail, upTo: 4)))
    case 0x2: return .real(try real(object + 1, width: try objects.width(detail, upTo: 3)))
    case 0x3 where detail == 3: return try date(object + 1)
    case 0x4, 0x5, 0x6: return try dataOrText(kind, object, detail, &limits)
    case 0xA, 0xC: return try array(object, detail, &limits)
    case 0xD: return try dictionary(object, detail, &limits)
    case 0x8: throw .keyedArchive
    default: throw .notPropertyList("it holds a value of an unknown kind")
    }
  }

  private func integer(_ bytes: ArraySlice<UInt8>) throws(MartletError) -> PropertyList {
    switch (bytes.count, bytes.suffix(8).bigEndian) {
    case (..<8, let value?): return .integer(Int64(value))
    case (8, let value?): return .integer(Int64(bitPattern: value))
    case (16, let value?) where bytes.prefix(8).bigEndian == 0:
      return Int64(exactly: value).map { .integer($0) } ?? .unsigned(value)
    default: throw .notPropertyList("it holds a number that does not fit in 64 bits")
    }
  }

  private func real(_ start: Int, width: Int) throws(MartletError) -> Double {
    guard let value = try objects.slice(start, width).bigEndian else {
      throw .malformedBinaryPropertyList
    }
    switch width {
    case 4: return Double(Float(bitPattern: UInt32(truncatingIfNeeded: value)))
    case 8: return Double(bitPattern: value)
    default: throw .malformedBinaryPropertyList
    }
  }

  private func date(_ start: Int) throws(MartletError) -> PropertyList {
    let seconds = try real(start, width: 8)
    guard seconds.isFinite else { throw .notPropertyList("it holds a date that is not a number") }
    return .date(Date(timeIntervalSinceReferenceDate: seconds))
  }

  /// Reads data, or text in ASCII or UTF-16.
  private func dataOrText(
    _ kind: UInt8, _ object: Int, _ detail: Int, _ limits: inout RemainingLimits
  ) throws(MartletError) -> PropertyList {
    let (start, count) = try objects.extent(object, detail)
    let bytes = try objects.slice(start, kind == 0x6 ? 2 * count : count)
    try limits.spend(bytes.count)
    if kind == 0x4 { return .data(Data(bytes)) }
    let text = String(bytes: bytes, encoding: kind == 0x5 ? .ascii : .utf16BigEndian)
    guard let text else { throw .notPropertyList("it holds text that is not valid") }
    return .string(text)
  }

  private func array(_ object: Int, _ detail: Int, _ limits: inout RemainingLimits)
    throws(MartletError) -> PropertyList
  {
    let (start, count) = try objects.extent(object, detail)
    var elements: [PropertyList] = []
    for index in 0..<count {
      elements.append(try value(try objects.reference(start, index), within: &limits))
    }
    return .array(elements)
  }

  private func dictionary(_ object: Int, _ detail: Int, _ limits: inout RemainingLimits)
    throws(MartletError) -> PropertyList
  {
    let (start, count) = try objects.extent(object, detail)
    var entries: [String: PropertyList] = [:]
    for index in 0..<count {
      guard
        case .string(let key) = try value(try objects.reference(start, index), within: &limits)
      else { throw .notPropertyList("it holds a dictionary whose keys are not text") }
      guard !key.hasLongRunOfMarks else {
        throw .notPropertyList("it holds a key with more than 128 combining marks in sequence")
      }
      entries[key] = try value(try objects.reference(start, count + index), within: &limits)
    }
    return .dictionary(entries)
  }
}

extension BinaryPropertyList {
  /// The remaining nesting depth, and the remaining memory in bytes.
  private struct RemainingLimits {
    private var depth = 512
    private var bytes: Int

    /// The approximate memory of a value without its text or data, in bytes.
    private static let valueSize = 64

    init(size: Int) {
      bytes = 100 * size + (1 << 20)
    }

    mutating func descend() throws(MartletError) {
      guard depth > 0 else { throw .notPropertyList("it is nested more than 512 deep") }
      depth -= 1
      try spend(Self.valueSize)
    }

    mutating func ascend() {
      depth += 1
    }

    mutating func spend(_ count: Int) throws(MartletError) {
      bytes -= count
      guard bytes >= 0 else { throw .notPropertyList("it would grow to over 100 times its size") }
    }
  }
}

/// The bytes of a binary property list, and the positions of its objects.
///
/// The format: `bplist00`, the objects, a table of their offsets, and a trailer of 32 bytes. The trailer contains the
/// number of objects, the number of the top object, the position of the table, and the sizes of offsets and references.
/// An object begins with a byte for its kind, and refers to other objects by their numbers.
struct BinaryObjects {
  let bytes: [UInt8]
  /// The number of the object that contains all others.
  let top: Int
  private let count: Int
  private let table: Int
  private let offsetSize: Int
  private let referenceSize: Int

  static let magic = Array("bplist".utf8)
  private static let version = Array("00".utf8)
  private static let trailerSize = 32

  init(_ bytes: [UInt8]) throws(MartletError) {
    let trailer = bytes.count - Self.trailerSize
    guard trailer >= Self.magic.count + Self.version.count,
      bytes.dropFirst(Self.magic.count).starts(with: Self.version)
    else { throw .notPropertyList("it is truncated, or in an unknown version") }
    let number = { (offset: Int) in
      bytes[(trailer + offset)..<(trailer + offset + 8)].bigEndian.flatMap { Int(exactly: $0) }
    }
    let (offsetSize, referenceSize) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
    guard let count = number(8), let top = number(16), let table = number(24),
      (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      table <= trailer, count <= (trailer - table) / offsetSize
    else { throw .notPropertyList("its trailer is invalid") }
    (self.bytes, self.top, self.count, self.table) = (bytes, top, count, table)
    (self.offsetSize, self.referenceSize) = (offsetSize, referenceSize)
  }

  func slice(_ start: Int, _ count: Int) throws(MartletError) -> ArraySlice<UInt8> {
    guard start >= 0, start <= bytes.count, count <= bytes.count - start
    else { throw .malformedBinaryPropertyList }
    return bytes[start..<(start + count)]
  }

  func offset(of number: Int) throws(MartletError) -> Int {
    guard number < count,
      let offset = try slice(table + number * offsetSize, offsetSize).bigEndian,
      let offset = Int(exactly: offset)
    else { throw .malformedBinaryPropertyList }
    return offset
  }

  func reference(_ start: Int, _ index: Int) throws(MartletError) -> Int {
    guard let number = try slice(start + index * referenceSize, referenceSize).bigEndian,
      let number = Int(exactly: number)
    else { throw .malformedBinaryPropertyList }
    return number
  }

  func width(_ power: Int, upTo limit: Int) throws(MartletError) -> Int {
    guard power <= limit else { throw .malformedBinaryPropertyList }
    return 1 << power
  }

  /// Returns the start and the count of an object's contents. The count is the detail of its marker or, when that is
  /// 15, the number after the marker.
  func extent(_ object: Int, _ detail: Int) throws(MartletError) -> (Int, Int) {
    guard detail == 0xF else { return (object + 1, detail) }
    let marker = try slice(object + 1, 1)[object + 1]
    guard marker >> 4 == 1 else { throw .malformedBinaryPropertyList }
    let size = try width(Int(marker & 0xF), upTo: 3)
    guard let count = try slice(object + 2, size).bigEndian, count <= UInt64(bytes.count)
    else { throw .malformedBinaryPropertyList }
    return (object + 2 + size, Int(count))
  }
}

extension ArraySlice<UInt8> {
  /// The number that up to eight bytes represent; `nil` for more bytes.
  var bigEndian: UInt64? {
    count <= 8 ? reduce(0) { $0 << 8 | UInt64($1) } : nil
  }
}
