/// A document that has been checked, and changed where necessary, so that Foundation's parser can read it safely.
///
/// A document type declaration may declare entities, which can make a small document grow without limit or read files.
/// It may also declare notations and attributes, which crash the parser on Linux. Therefore a document type declaration
/// is accepted only as a name with identifiers, `<!DOCTYPE html PUBLIC "…" "…">`. The identifiers are never loaded.
///
/// An instruction without data, such as `<?page-break?>`, also crashes the parser on Linux. A blank is added to it.
///
/// The parser compares each attribute of an element with all others. A megabyte of attributes in one element would take
/// half a minute, so their number has a limit.
struct ValidatedXML {
  /// The document in UTF-8.
  private(set) var bytes: [UInt8] = []
  /// Why the document must not be passed to a parser, as a clause; `nil` if it is safe.
  private(set) var rejectionReason: String?

  /// How many attributes an element may have.
  private static let attributeLimit = 1000

  init(_ document: [UInt8]) {
    bytes.reserveCapacity(document.count)
    var rest = document[...]
    while let next = rest.firstIndex(of: UInt8(ascii: "<")), rejectionReason == nil {
      take(&rest, upTo: next)
      takeMarkup(&rest)
    }
    bytes += rest
  }

  /// Copies a comment, a CDATA section, an instruction or a document type declaration as a whole. Anything else is
  /// copied up to the next `<`, which cannot occur inside a well-formed tag.
  private mutating func takeMarkup(_ rest: inout ArraySlice<UInt8>) {
    if rest.starts(with: "<!--".utf8) {
      take(&rest, upTo: rest.dropFirst(4).end(of: "-->"))
    } else if rest.starts(with: "<![CDATA[".utf8) {
      take(&rest, upTo: rest.end(of: "]]>"))
    } else if rest.starts(with: "<?".utf8) {
      takeInstruction(&rest)
    } else if rest.starts(with: "<!DOCTYPE".utf8) {
      takeDocumentType(&rest)
    } else {
      takeTag(&rest)
    }
  }

  private mutating func take(_ rest: inout ArraySlice<UInt8>, upTo end: Int) {
    bytes += rest[..<end]
    rest = rest[end...]
  }

  /// Copies a tag and the text after it.
  private mutating func takeTag(_ rest: inout ArraySlice<UInt8>) {
    let end = rest.dropFirst().firstIndex(of: UInt8(ascii: "<")) ?? rest.endIndex
    guard rest[..<end].attributeCount <= Self.attributeLimit else {
      rejectionReason = "an element has more than \(Self.attributeLimit) attributes"
      return
    }
    take(&rest, upTo: end)
  }

  private mutating func takeInstruction(_ rest: inout ArraySlice<UInt8>) {
    let end = rest.end(of: "?>")
    let instruction = rest[..<end]
    take(&rest, upTo: end)
    guard instruction.count > 4, !instruction.contains(where: \.isXMLWhitespace) else { return }
    bytes.insert(UInt8(ascii: " "), at: bytes.count - 2)
  }

  /// Accepts a declaration that has no internal subset. It is read up to the first `>`, and rejected if that is inside a
  /// quoted string.
  private mutating func takeDocumentType(_ rest: inout ArraySlice<UInt8>) {
    let end = rest.end(of: ">")
    let declaration = rest[..<end]
    guard !declaration.contains(UInt8(ascii: "[")),
      !declaration.dropFirst().contains(UInt8(ascii: "<")), !declaration.endsInQuotedString
    else {
      rejectionReason =
        "its document type declaration has an internal subset, which could make the document grow without limit or read files"
      return
    }
    take(&rest, upTo: end)
  }
}

extension ArraySlice<UInt8> {
  /// The number of attributes of the tag that begins here: the number of equals signs outside quotation marks.
  fileprivate var attributeCount: Int {
    var (count, quote) = (0, nil as UInt8?)
    for byte in self {
      switch byte {
      case quote: quote = nil
      case _ where quote != nil: break
      case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
      case UInt8(ascii: "="): count += 1
      case UInt8(ascii: ">"): return count
      default: break
      }
    }
    return count
  }

  /// Whether the last quoted string that begins here has no end. In a string, the other quotation mark has no meaning.
  fileprivate var endsInQuotedString: Bool {
    var quote: UInt8?
    for byte in self {
      switch byte {
      case quote: quote = nil
      case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = quote ?? byte
      default: break
      }
    }
    return quote != nil
  }

  /// The index after the first occurrence of `text`, or after all bytes if there is none.
  func end(of text: StaticString) -> Int {
    text.withUTF8Buffer { text in
      var start = startIndex
      while let first = self[start...].firstIndex(of: text[0]) {
        if self[first...].starts(with: text) { return first + text.count }
        start = first + 1
      }
      return endIndex
    }
  }
}
