import HTTPTypes
import MartletCore

/// Reads the field lines of a head, or trailers, one after another (RFC 9112 §5).
///
/// It begins with the fields of the last head and replaces those whose lines differ.
struct FieldLines {
  typealias Bytes = Slice<UnsafeRawBufferPointer>

  /// The most lines that there may be: far below what `HTTPFields` can hold, which traps beyond 65 535,
  /// and what folding may cost.
  private static let limit = 4096

  /// Where the lines lie within the head.
  private(set) var lines: [Range<Int>] = []
  private let cache: HeadCache
  private var fields: EditedFields
  /// What continues the value of the last field.
  private var folds: [UInt8] = []

  init(_ cache: HeadCache = HeadCache()) {
    self.cache = cache
    fields = EditedFields(cache.fields)
    lines.reserveCapacity(max(cache.fields.count, 8))
  }

  /// Reads one line, which is not empty, without its end.
  ///
  /// - Throws: `MartletError` with code `.malformedResponse`.
  mutating func take(_ line: Bytes) throws(MartletError) {
    guard lines.count < Self.limit else {
      throw .malformedResponse("it has more than \(Self.limit) header lines")
    }
    lines.append(line.startIndex..<line.endIndex)
    if line.first?.isBlank == true { return try fold(line) }
    unfold()
    if cache.hasLine(line, at: fields.count) {
      fields.keep()
    } else {
      fields.put(try Self.field(line))
    }
  }

  /// The fields, when all lines have been read.
  mutating func finish() -> HTTPFields {
    unfold()
    return fields.finish()
  }

  /// §5.2 — a line that begins with a blank continues the one before; the fold becomes one blank.
  private mutating func fold(_ line: Bytes) throws(MartletError) {
    guard fields.count > 0 else {
      throw .malformedResponse("its first header line begins with a blank")
    }
    let rest = line.trimmingBlanks
    guard Self.isClean(rest) else { throw Self.unclean(fields.last?.name.rawName ?? "") }
    guard !rest.isEmpty else { return }
    folds.append(0x20)
    folds += rest
  }

  /// Completes the last field, at once for all of its folds: each time the whole value is checked.
  private mutating func unfold() {
    guard !folds.isEmpty, let field = fields.last else { return }
    let value = field.withUnsafeBytesOfValue { $0.isEmpty ? folds.dropFirst() : $0 + folds[...] }
    fields.last = value.withUnsafeBytes { HTTPField(name: field.name, lenientValue: $0) }
    folds = []
  }

  private static func field(_ line: Bytes) throws(MartletError) -> HTTPField {
    guard let colon = line.firstIndex(of: 0x3A), colon > line.startIndex,
      let name = FieldNames.name(line[..<colon])
    else { throw .malformedResponse("a header line is “\(line.text.masked)”") }
    let value = line[(colon + 1)...].trimmingBlanks
    guard isClean(value) else { throw unclean(name.rawName) }
    return HTTPField(name: name, lenientValue: UnsafeRawBufferPointer(rebasing: value))
  }

  /// Whether a value holds nothing that could end it elsewhere (RFC 9110 §5.5).
  private static func isClean(_ value: Bytes) -> Bool {
    value.allSatisfy { $0 != 0 && $0 != 0x0D }
  }

  private static func unclean(_ name: String) -> MartletError {
    .malformedResponse("the value of its header “\(name)” holds a control character")
  }
}

extension Slice<UnsafeRawBufferPointer> {
  var text: String { String(decoding: self, as: UTF8.self) }
}
