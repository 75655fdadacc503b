import HTTPTypes
import MartletCore

/// Reads the lines of a head: the status line and the field lines (RFC 9112 §4, §5).
///
/// A line may end in a bare LF, as §2.2 allows. What no server should send is refused rather than
/// guessed at.
enum HeadParser {
  /// A status line and fields, with the version that the status line names.
  struct Head {
    var head: ResponseHead
    var isHTTP11: Bool
    /// What of the head frames the message.
    var fields: FramingFields
  }

  /// Reads a whole head, up to and including its blank line.
  static func head(_ bytes: UnsafeRawBufferPointer) throws(MartletError) -> Head {
    var lines = Lines(bytes)
    let (status, isHTTP11) = try statusLine(lines.next() ?? bytes[bytes.endIndex...])
    let (headers, framing) = try fields(&lines)
    return Head(
      head: ResponseHead(status: status, headers: headers), isHTTP11: isHTTP11, fields: framing)
  }

  /// Reads field lines up to the blank line: the rest of a head, or trailers.
  static func fields(_ bytes: UnsafeRawBufferPointer) throws(MartletError) -> HTTPFields {
    var lines = Lines(bytes)
    return try fields(&lines).0
  }

  // MARK: Status line

  private typealias Bytes = Slice<UnsafeRawBufferPointer>

  /// `HTTP/1.x SP 3DIGIT SP reason`; the reason and the blank before it may be missing.
  private static func statusLine(_ line: Bytes) throws(MartletError) -> (
    HTTPResponse.Status, isHTTP11: Bool
  ) {
    let prefix = "HTTP/1.".utf8
    guard line.count >= 12, line.starts(with: prefix), line[line.startIndex + 8] == 0x20 else {
      throw .malformedResponse("its status line is “\(text(line).masked)”")
    }
    let minor = line[line.startIndex + 7]
    let digits = line[(line.startIndex + 9)..<(line.startIndex + 12)]
    let rest = line[(line.startIndex + 12)...]
    guard (0x30...0x39).contains(minor), digits.allSatisfy({ (0x30...0x39).contains($0) }),
      rest.isEmpty || rest.first == 0x20
    else { throw .malformedResponse("its status line is “\(text(line).masked)”") }
    let code = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    guard code >= 100 else { throw .malformedResponse("its status code is \(code)") }
    return (status(code, reason: rest.dropFirst()), isHTTP11: minor != 0x30)
  }

  /// The usual reason phrases are shared; only an unusual one is worth an allocation.
  private static func status(_ code: Int, reason: Bytes) -> HTTPResponse.Status {
    let known = HTTPResponse.Status(code: code)
    guard !reason.elementsEqual(known.reasonPhrase.utf8) else { return known }
    let phrase = text(reason)
    // swift-http-types would rewrite a phrase that may not stand in a status line.
    guard HTTPField.isValidValue(phrase) else { return known }
    return HTTPResponse.Status(code: code, reasonPhrase: phrase)
  }

  // MARK: Field lines

  /// The most lines that a head, or trailers, may have.
  private static let longestHead = 4096

  private static func fields(_ lines: inout Lines) throws(MartletError) -> (
    HTTPFields, FramingFields
  ) {
    var fields = HTTPFields()
    fields.reserveCapacity(12)
    var framing = FramingFields()
    var count = 0
    while let line = lines.next(), let first = line.first {
      count += 1
      // Far below what `HTTPFields` can hold, which traps beyond 65 535, and what folding may cost.
      guard count <= longestHead else {
        throw .malformedResponse("it has more than \(longestHead) header lines")
      }
      if first == 0x20 || first == 0x09 {
        try fold(line, into: &fields)
        framing = FramingFields(fields)
      } else {
        let field = try field(line)
        framing.note(field)
        fields.append(field)
      }
    }
    return (fields, framing)
  }

  private static func field(_ line: Bytes) throws(MartletError) -> HTTPField {
    guard let colon = line.firstIndex(of: 0x3A), colon > line.startIndex,
      let name = FieldNames.name(line[..<colon])
    else { throw .malformedResponse("a header line is “\(text(line).masked)”") }
    let value = trimmed(line[(colon + 1)...])
    guard value.allSatisfy({ $0 != 0 && $0 != 0x0D }) else {
      throw .malformedResponse(
        "the value of its header “\(name.rawName)” holds a control character")
    }
    return HTTPField(name: name, lenientValue: UnsafeRawBufferPointer(rebasing: value))
  }

  /// §5.2 — a line that begins with a blank continues the one before; the fold becomes one blank.
  private static func fold(_ line: Bytes, into fields: inout HTTPFields) throws(MartletError) {
    guard var last = fields.last else {
      throw .malformedResponse("its first header line begins with a blank")
    }
    last.value += " " + text(trimmed(line))
    fields[fields.endIndex - 1] = last
  }

  private static func trimmed(_ bytes: Bytes) -> Bytes {
    var bytes = bytes
    while let first = bytes.first, first == 0x20 || first == 0x09 { bytes.removeFirst() }
    while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
    return bytes
  }

  private static func text(_ bytes: Bytes) -> String {
    String(decoding: bytes, as: UTF8.self)
  }

  /// Splits at LF and drops the CR before it.
  private struct Lines {
    private var rest: Bytes

    init(_ bytes: UnsafeRawBufferPointer) {
      rest = bytes[...]
    }

    mutating func next() -> Bytes? {
      guard let end = rest.firstIndex(of: 0x0A) else { return nil }
      let line = rest[..<end]
      rest = rest[(end + 1)...]
      return line.last == 0x0D ? line.dropLast() : line
    }
  }
}
