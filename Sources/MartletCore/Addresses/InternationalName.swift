/// Converts host names that are not ASCII to the ASCII form that is looked up (UTS #46, non-transitional processing).
///
/// The rules for right-to-left letters (RFC 5893) are not checked. Registries enforce them: a name that breaks them
/// cannot be registered.
enum InternationalName {
  /// Returns the ASCII form, such as `xn--bcher-kva.de` for `Bücher.de`; `nil` for an invalid name.
  static func ascii(_ name: String) -> String? {
    guard name.utf8.count <= longestName, let mapped = mapped(name) else { return nil }
    // The scalars are split, not the characters: a dot that is followed by a combining accent is still a dot.
    var labels = mapped.split(separator: ".", omittingEmptySubsequences: false).map(Array.init)
    let root = labels.last?.isEmpty == true && labels.count > 1 ? labels.popLast() : nil
    let written = labels.compactMap { label in
      label.starts(with: prefix.unicodeScalars) ? encoded(label) : ascii(label)
    }
    guard written.count == labels.count else { return nil }
    return written.joined(separator: ".") + (root == nil ? "" : ".")
  }

  private static let prefix = "xn--"

  /// The limit, in bytes of UTF-8. It is far above the 253 characters of the longest name, and bounds the quadratic
  /// cost of Punycode.
  private static let longestName = 2048

  /// Maps each character with the table, and composes the result (UTS #46 §4, steps 1 and 2).
  ///
  /// Returns `nil` for a disallowed character, and for a character that maps to ASCII that a host name may not contain.
  /// For example, `／` and `＠` map to delimiters, which would change the host of the URL.
  private static func mapped(_ name: String) -> String.UnicodeScalarView? {
    var mapped = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      switch InternationalNameTable.shared[scalar] {
      case .valid: mapped.append(scalar)
      case .mapped(let replacement):
        guard replacement.allSatisfy(\.mayStandInName) else { return nil }
        for part in replacement { mapped.append(part) }
      case .ignored: break
      case .disallowed: return nil
      }
    }
    return String(mapped).composed.unicodeScalars
  }

  /// Returns a label that is already in Punycode; `nil` if it is invalid, or plain ASCII when decoded (§4, step 4).
  private static func encoded(_ label: [Unicode.Scalar]) -> String? {
    let label = String(String.UnicodeScalarView(label))
    guard label.utf8.allSatisfy({ $0 < 0x80 }),
      let scalars = Punycode.decode(label.dropFirst(prefix.utf8.count)), isValid(scalars),
      !scalars.allSatisfy(\.isASCII),
      scalars.allSatisfy({ InternationalNameTable.shared[$0].isValid })
    else { return nil }
    let text = String(String.UnicodeScalarView(scalars))
    return text.composed.unicodeScalars.elementsEqual(scalars) ? label : nil
  }

  private static func ascii(_ label: [Unicode.Scalar]) -> String? {
    guard isValid(label) else { return nil }
    return label.allSatisfy(\.isASCII)
      ? String(String.UnicodeScalarView(label)) : prefix + Punycode.encode(label)
  }

  /// Whether a label is valid (§4.1, rules 3, 6 and 8).
  private static func isValid(_ label: [Unicode.Scalar]) -> Bool {
    guard let first = label.first, !first.isMark, first != "-", label.last != "-" else {
      return false
    }
    return label.indices.allSatisfy { index in
      switch label[index].value {
      case 0x200C: label[..<index].mayBeJoined
      case 0x200D: label[..<index].last?.isVirama == true
      default: true
      }
    }
  }
}

extension Unicode.Scalar {
  /// Whether a host name may contain the character: a letter, digit, hyphen, dot or underscore of ASCII, or any
  /// character outside ASCII.
  fileprivate var mayStandInName: Bool {
    guard let byte = UInt8(exactly: value), byte < 0x80 else { return true }
    return byte.isLetter || byte.isDigit || "-._".utf8.contains(byte)
  }

  fileprivate var isMark: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }

  fileprivate var isVirama: Bool { properties.canonicalCombiningClass == .virama }

  /// Whether this is a letter of a joining script: Arabic, Syriac, N’Ko, Mandaic or Mongolian.
  fileprivate var joins: Bool {
    switch value {
    case 0x620...0x64A, 0x66E...0x6D3, 0x6FA...0x6FF, 0x710...0x72F, 0x74D...0x77F, 0x7CA...0x7EA,
      0x840...0x858, 0x860...0x86A, 0x870...0x887, 0x889...0x88E, 0x8A0...0x8C9, 0x1820...0x1878:
      true
    default: false
    }
  }
}

extension ArraySlice<Unicode.Scalar> {
  /// Whether a zero-width non-joiner may follow: after a virama or a joining letter (RFC 5892, A.1).
  ///
  /// After a joining letter, the RFC requires that another joining letter follows the non-joiner. That is not checked.
  fileprivate var mayBeJoined: Bool {
    last?.isVirama == true || last { !$0.isMark }?.joins == true
  }
}
