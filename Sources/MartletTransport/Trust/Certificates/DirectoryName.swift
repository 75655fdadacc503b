import SwiftASN1
import X509

/// The name of a holder or issuer, so that names that mean the same are equal (RFC 5280 §7.1): case does not
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
