import HTTPTypes
import MartletCore

/// Reads the field lines of a head, or trailers, one after another (RFC 9112 §5).
///
/// It starts with the fields of the previous head, and replaces those whose lines differ.
struct FieldLines {
  typealias Bytes = Slice<UnsafeRawBufferPointer>

  /// The maximum number of lines. It limits the cost of folding, and is far below the 65 535 fields at which
  /// `HTTPFields` traps.
  private static let limit = 4096

  /// The ranges of the lines within the head.
  private(set) var lines: [Range<Int>] = []
  private let cache: HeadCache
  private var fields: EditedFields
  /// The folded lines that continue the value of the last field.
  private var folds: [UInt8] = []

  init(_ cache: HeadCache = HeadCache()) {
    self.cache = cache
    fields = EditedFields(cache.fields)
    lines.reserveCapacity(max(cache.fields.count, 8))
  }

  /// Reads one line that is not empty, without its line end.
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
      fields.set(try Self.field(line))
    }
  }

  /// Returns the fields after all lines have been read.
  mutating func finish() -> HTTPFields {
    unfold()
    return fields.finish()
  }

  /// §5.2 — a line that begins with a blank continues the previous line; the fold becomes one blank.
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

  /// Completes the last field with all of its folds at once, because each new field costs a check of its whole value.
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

  /// Whether a value has no NUL and no CR, which other parsers might take for its end (RFC 9110 §5.5).
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
