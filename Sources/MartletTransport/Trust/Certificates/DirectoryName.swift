import SwiftASN1
import X509

/// The name of a subject or issuer, in a form that can be compared (RFC 5280 §7.1).
///
/// Case and the amount of white space do not matter.
struct DirectoryName: Hashable, Sendable {
  private enum Value: Hashable {
    case text(String)
    case other(RelativeDistinguishedName.Attribute.Value)
  }

  private struct Attribute: Hashable {
    var type: ASN1ObjectIdentifier
    var value: Value
  }

  /// The levels of the name, from the top down.
  private let levels: [Set<Attribute>]

  init(_ name: DistinguishedName) {
    levels = name.map { level in
      Set(level.map { Attribute(type: $0.type, value: Self.value($0.value)) })
    }
  }

  private static func value(_ value: RelativeDistinguishedName.Attribute.Value) -> Value {
    guard let text = value.text else { return .other(value) }
    return .text(text.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " "))
  }

  /// Whether all values are text that can be read, so that they can be compared.
  var isReadable: Bool {
    levels.joined().allSatisfy { attribute in
      if case .text = attribute.value { true } else { false }
    }
  }

  /// Whether it is in a subtree: the base, or a name below it.
  func isWithin(_ tree: DirectoryName) -> Bool { levels.starts(with: tree.levels) }
}

extension RelativeDistinguishedName.Attribute.Value {
  /// The text, in any of the encodings that names may have (RFC 5280 §4.1.2.4); `nil` in any other.
  ///
  /// swift-certificates reads only the encodings that are used today.
  var text: String? {
    if let text = String(self) { return text }
    var serializer = DER.Serializer()
    guard (try? serializer.serialize(ASN1Any(self))) != nil,
      let node = try? DER.parse(serializer.serializedBytes),
      case .primitive(let bytes) = node.content
    else { return nil }
    switch node.identifier {
    case .teletexString:
      // In practice, the bytes are Latin-1.
      return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    case .bmpString: return String(bigEndian: bytes, as: UTF16.self)
    case .universalString: return String(bigEndian: bytes, as: UTF32.self)
    default: return nil
    }
  }
}

extension String {
  /// `nil` when the bytes are not text in that encoding.
  fileprivate init?<Encoding: Unicode.Encoding>(
    bigEndian bytes: ArraySlice<UInt8>, as: Encoding.Type
  )
  where Encoding.CodeUnit: FixedWidthInteger {
    let width = Encoding.CodeUnit.bitWidth / 8
    guard bytes.count.isMultiple(of: width) else { return nil }
    let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: width).map { start in
      bytes[start..<start + width].reduce(Encoding.CodeUnit.zero) {
        $0 << 8 | Encoding.CodeUnit($1)
      }
    }
    self.init(validating: units, as: Encoding.self)
  }
}
