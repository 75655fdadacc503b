import SwiftASN1
import X509

/// The name of a subject or issuer, so that names that mean the same are equal (RFC 5280 §7.1): case does not
/// matter, nor does how many blanks there are.
struct DirectoryName: Hashable, Sendable {
  private enum Value: Hashable {
    case text(String)
    case other(RelativeDistinguishedName.Attribute.Value)
  }

  private struct Attribute: Hashable {
    var type: ASN1ObjectIdentifier
    var value: Value
  }

  /// From the top down.
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

  /// Whether all of it is text that can be read, and so be compared.
  var isReadable: Bool {
    levels.joined().allSatisfy { attribute in
      if case .text = attribute.value { true } else { false }
    }
  }

  /// Whether it is in a tree: its top, or something below it.
  func isWithin(_ tree: DirectoryName) -> Bool { levels.starts(with: tree.levels) }
}

extension RelativeDistinguishedName.Attribute.Value {
  /// The text, in whichever of the forms that names may have (RFC 5280 §4.1.2.4); `nil` when it is in none.
  ///
  /// swift-certificates reads the forms that are written today.
  var text: String? {
    if let text = String(self) { return text }
    var serializer = DER.Serializer()
    guard (try? serializer.serialize(ASN1Any(self))) != nil,
      let node = try? DER.parse(serializer.serializedBytes),
      case .primitive(let bytes) = node.content
    else { return nil }
    switch node.identifier {
    case .teletexString:
      // Those who wrote it meant Latin-1.
      return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    case .bmpString: return String(bigEndian: bytes, as: UTF16.self)
    case .universalString: return String(bigEndian: bytes, as: UTF32.self)
    default: return nil
    }
  }
}

extension String {
  /// `nil` when the bytes are no text in that encoding.
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
