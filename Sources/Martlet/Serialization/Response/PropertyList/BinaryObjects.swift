import MartletCore

/// The bytes of a binary property list, and where its objects are.
///
/// The format: `bplist00`, the objects, a table of their offsets, and a trailer of 32 bytes that says where
/// all of that is. Objects begin with a byte that says what they are, and name others by their numbers.
struct BinaryObjects {
  let bytes: [UInt8]
  /// The number of the object that holds all others.
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
    else { throw .notPropertyList("it is cut short, or in a version that is not known") }
    let number = { (offset: Int) in
      bytes[(trailer + offset)..<(trailer + offset + 8)].bigEndian.flatMap { Int(exactly: $0) }
    }
    let (offsetSize, referenceSize) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
    guard let count = number(8), let top = number(16), let table = number(24),
      (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      table <= trailer, count <= (trailer - table) / offsetSize
    else { throw .notPropertyList("its trailer makes no sense") }
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

  /// Where the contents of an object begin, and how many they are: the detail of its marker or, when that is
  /// 15, the number behind it.
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
  /// The number that up to eight bytes are.
  var bigEndian: UInt64? {
    count <= 8 ? reduce(0) { $0 << 8 | UInt64($1) } : nil
  }
}
