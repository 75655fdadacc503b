import EssentialFoundation

/// Writes JSON text (RFC 8259), with the entries of objects sorted by name.
struct JSONWriter {
  private let isPretty: Bool
  private let escapesSlashes: Bool
  private var bytes: [UInt8] = []
  private var depth = 0

  /// Returns the text of `json`, in the layout of `JSONEncoder`.
  static func write(_ json: JSON, options: JSONEncoder.OutputFormatting) -> [UInt8] {
    var writer = JSONWriter(options)
    writer.write(json)
    return writer.bytes
  }

  private init(_ options: JSONEncoder.OutputFormatting) {
    isPretty = options.contains(.prettyPrinted)
    escapesSlashes = !options.contains(.withoutEscapingSlashes)
  }

  private mutating func write(_ json: JSON) {
    switch json {
    case .null: append("null")
    case .bool(let value): append(value ? "true" : "false")
    case .integer(let value): append(String(value))
    case .unsigned(let value): append(String(value))
    case .double(let value) where value.isZero && value.sign == .minus: append("-0")
    case .double(let value): append(value.isFinite ? value.numberText : "null")
    case .string(let text): write(text: text)
    case .array(let elements):
      list(elements, "[", "]") { writer, element in writer.write(element) }
    case .object(let entries):
      list(entries.sorted { $0.key.precedes($1.key) }, "{", "}") { writer, entry in
        writer.write(text: entry.key)
        writer.append(writer.isPretty ? " : " : ":")
        writer.write(entry.value)
      }
    }
  }

  private mutating func list<Element>(
    _ elements: [Element], _ open: StaticString, _ close: StaticString,
    _ write: (inout JSONWriter, Element) -> Void
  ) {
    append(open.description)
    depth += 1
    for (index, element) in elements.enumerated() {
      if index > 0 { append(",") }
      breakLine()
      write(&self, element)
    }
    depth -= 1
    if !elements.isEmpty { breakLine() }
    append(close.description)
  }

  private mutating func breakLine() {
    guard isPretty else { return }
    append("\n")
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
  }

  private mutating func append(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  private mutating func write(text: String) {
    append("\"")
    for byte in text.utf8 { write(byte) }
    append("\"")
  }

  /// RFC 8259 §7: quotation mark, backslash and control characters must be escaped.
  private mutating func write(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): append("\\\"")
    case UInt8(ascii: "\\"): append("\\\\")
    case UInt8(ascii: "/") where escapesSlashes: append("\\/")
    case UInt8(ascii: "\n"): append("\\n")
    case UInt8(ascii: "\r"): append("\\r")
    case UInt8(ascii: "\t"): append("\\t")
    case 0..<0x20: append("\\u00" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16))
    default: bytes.append(byte)
    }
  }
}

extension Double {
  /// The number as text: `1` for 1.0, `0.1` for 0.1.
  package var numberText: String {
    // Beyond 2⁵³ a `Double` cannot represent every whole number, so all digits would show a false precision.
    guard magnitude < 0x1p53, self == rounded() else { return description }
    return String(Int64(self))
  }
}
