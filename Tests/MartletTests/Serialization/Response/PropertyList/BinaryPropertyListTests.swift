import Foundation
import Martlet
import Testing

/// Binary property lists that no honest program makes.
struct BinaryPropertyListTests {
  /// A list of these objects, the first of which holds the others.
  private func list(_ objects: [[UInt8]], top: UInt8 = 0, table: Int? = nil) -> Data {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets += [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
      bytes += object
    }
    let table = table ?? bytes.count
    bytes += offsets + [0, 0, 0, 0, 0, 0, 2, 1]
    bytes += [0, 0, 0, 0, 0, 0, UInt8(objects.count >> 8), UInt8(objects.count & 0xFF)]
    bytes += [0, 0, 0, 0, 0, 0, 0, top]
    bytes += (0..<8).map { UInt8(truncatingIfNeeded: table >> (56 - 8 * $0)) }
    return Data(bytes)
  }

  private func reason(_ data: Data) -> String? {
    let start = "The response could not be decoded as a property list: "
    let sentence = message { try PropertyList(parsing: data) }
    guard let sentence, sentence.hasPrefix(start), sentence.hasSuffix(".") else { return sentence }
    return String(sentence.dropFirst(start.count).dropLast())
  }

  @Test(
    arguments: [
      ([0x08], false), ([0x09], true), ([0x10, 0xFF], 255), ([0x11, 1, 0], 256),
      ([0x13] + [UInt8](repeating: 0xFF, count: 8), -1), ([0x23, 0x40, 4, 0, 0, 0, 0, 0, 0], 2.5),
      ([0x22, 0x40, 0x20, 0, 0], 2.5), ([0x53, 0x61, 0x62, 0x63], "abc"),
      ([0x61, 0x00, 0xE9], "é"), ([0x5F, 0x10, 0x01, 0x61], "a"), ([0x41, 0x07], .data(Data([7]))),
      ([0x33] + [UInt8](repeating: 0, count: 8), .date(Date(timeIntervalSinceReferenceDate: 0))),
      ([0xA0], []), ([0xD0], [:]),
    ] as [([UInt8], PropertyList)])
  func `every kind of value is read`(object: [UInt8], value: PropertyList) throws {
    #expect(try PropertyList(parsing: list([object])) == value)
  }

  @Test
  func `a value that is there twice is read twice`() throws {
    let twice = list([[0xA2, 1, 1], [0xD1, 2, 3], [0x51, 0x6B], [0x09]])
    #expect(try PropertyList(parsing: twice) == [["k": true], ["k": true]])
  }

  @Test
  func `a list that holds itself is refused`() {
    #expect(reason(list([[0xA1, 0]])) == "it is nested more than 512 deep")
    #expect(reason(list([[0xD1, 1, 0], [0x51, 0x6B]])) == "it is nested more than 512 deep")
  }

  @Test
  func `a list that doubles on every level is refused`() {
    let levels = (1...60).map { [0xA2, UInt8($0), UInt8($0)] }
    #expect(reason(list(levels + [[0x09]])) == "it would grow to over 100 times its size")
  }

  @Test
  func `a text that is there ten thousand times is refused when it is long`() {
    let long: [UInt8] = [0x5F, 0x11, 0x40, 0x00] + [UInt8](repeating: 0x61, count: 0x4000)
    let many: [UInt8] = [0xAF, 0x11, 0x27, 0x10] + [UInt8](repeating: 1, count: 10_000)
    #expect(reason(list([many, long])) == "it would grow to over 100 times its size")
  }

  @Test(
    arguments: [
      ([0x80, 1], "it is a keyed archive, which only its own program can read"),
      ([0x00], "it holds a value of an unknown kind"),
      ([0xF0], "it holds a value of an unknown kind"),
      (
        [0x14] + [UInt8](repeating: 0xFF, count: 16),
        "it holds a number that does not fit in 64 bits"
      ),
      ([0x33, 0x7F, 0xF0, 0, 0, 0, 0, 0, 0], "it holds a date that is not a number"),
      ([0x61, 0xD8, 0x00], "it holds text that is not valid"),
      ([0x51, 0xFF], "it holds text that is not valid"),
      ([0xD1, 0, 0], "it is nested more than 512 deep"),
      ([0xA1, 1], "it has an invalid offset, size or reference"),
      (
        [0x5F, 0x13] + [UInt8](repeating: 0xFF, count: 8),
        "it has an invalid offset, size or reference"
      ),
      ([0xAF, 0x10, 0x7F], "it has an invalid offset, size or reference"),
      ([0x17], "it has an invalid offset, size or reference"),
      ([0x20, 0], "it has an invalid offset, size or reference"),
    ] as [([UInt8], String)])
  func `values that make no sense are refused`(object: [UInt8], expected: String) {
    #expect(reason(list([object])) == expected)
  }

  @Test
  func `keys have to be text`() {
    #expect(
      reason(list([[0xD1, 1, 1], [0x09]])) == "it holds a dictionary whose keys are not text")
  }

  @Test
  func `a key with more than 128 combining marks in sequence is refused`() throws {
    let name = "a" + String(repeating: "\u{301}", count: 128)
    let longest: PropertyList = [name: 1]
    #expect(try PropertyList(parsing: longest.data(format: .binary)) == longest)
    let longer = try ([name + "\u{301}": 1] as PropertyList).data(format: .binary)
    #expect(reason(longer) == "it holds a key with more than 128 combining marks in sequence")
  }

  @Test
  func `a trailer that makes no sense is refused`() {
    #expect(reason(list([[0x09]], table: 1 << 40)) == "its trailer is invalid")
    #expect(reason(list([[0x09]], table: -1)) == "its trailer is invalid")
    #expect(reason(list([[0x09]], top: 7)) == "it has an invalid offset, size or reference")
  }

  @Test
  func `a list that is cut short is refused wherever that is`() throws {
    let whole = try (["a": [1, "b", 2.5]] as PropertyList).data(format: .binary)
    for count in 6..<whole.count {
      #expect(failure { try PropertyList(parsing: whole.prefix(count)) }?.code == .decodingFailed)
    }
    #expect(reason(Data("bplist00".utf8)) == "it is truncated, or in an unknown version")
  }
}
