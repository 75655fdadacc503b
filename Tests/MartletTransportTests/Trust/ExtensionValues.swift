import MartletTesting

/// Extensions that the test kit has no words for, made of DER by hand.
extension CertificateTraits.Extension {
  /// Critical certificate policies; each is the last number of `1.2.3.x`, and 0 is anyPolicy (RFC 5280 §4.2.1.4).
  static func policies(_ numbers: UInt8...) -> Self {
    Self(
      "2.5.29.32", isCritical: true,
      value: DERValue.sequence(numbers.map { DERValue.sequence([DERValue.policy($0)]) }))
  }

  /// A critical demand for an explicit policy behind so many certificates (RFC 5280 §4.2.1.11).
  static func requiresPolicy(after skipped: UInt8) -> Self {
    Self(
      "2.5.29.36", isCritical: true,
      value: DERValue.sequence([DERValue.node(0x80, [skipped])]))
  }

  /// Critical mappings of policies (RFC 5280 §4.2.1.5).
  static func mapsPolicy(_ own: UInt8, to subject: UInt8) -> Self {
    Self(
      "2.5.29.33", isCritical: true,
      value: DERValue.sequence([
        DERValue.sequence([DERValue.policy(own), DERValue.policy(subject)])
      ]))
  }

  /// A critical ban on anyPolicy behind so many certificates (RFC 5280 §4.2.1.14).
  static func inhibitsAnyPolicy(after skipped: UInt8) -> Self {
    Self("2.5.29.54", isCritical: true, value: DERValue.node(0x02, [skipped]))
  }

  /// A critical place for revocation lists (RFC 5280 §4.2.1.13).
  static var revocationLists: Self {
    let name = DERValue.node(0x86, Array("http://example.com/list".utf8))
    let point = DERValue.node(0xA0, DERValue.node(0xA0, name))
    return Self(
      "2.5.29.31", isCritical: true, value: DERValue.sequence([DERValue.sequence([point])]))
  }

  /// Critical name constraints, permitted and excluded (RFC 5280 §4.2.1.10).
  static func constraints(permitted: [DERValue.Name] = [], excluded: [DERValue.Name] = []) -> Self {
    let trees = [(UInt8(0xA0), permitted), (0xA1, excluded)].filter { !$0.1.isEmpty }
    return Self(
      "2.5.29.30", isCritical: true,
      value: DERValue.sequence(
        trees.map { tag, names in
          DERValue.node(tag, names.flatMap { DERValue.sequence([$0.bytes]) })
        }))
  }

  /// Alternative names (RFC 5280 §4.2.1.6).
  static func names(_ names: [DERValue.Name]) -> Self {
    Self("2.5.29.17", isCritical: false, value: DERValue.sequence(names.map(\.bytes)))
  }
}

/// Values in DER form.
enum DERValue {
  /// A `GeneralName`.
  enum Name {
    case mail(String)
    case domain(String)
    /// A common name.
    case directory(String)
    case uri(String)
    case address([UInt8])
    /// With the type `1.2.3.1`.
    case other

    var bytes: [UInt8] {
      switch self {
      case .other: node(0xA0, policy(1) + node(0xA0, node(0x0C, Array("x".utf8))))
      case .mail(let text): node(0x81, Array(text.utf8))
      case .domain(let text): node(0x82, Array(text.utf8))
      case .directory(let name): node(0xA4, commonName(name))
      case .uri(let text): node(0x86, Array(text.utf8))
      case .address(let bytes): node(0x87, bytes)
      }
    }
  }

  static func node(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    let count = content.count
    if count < 0x80 { return [tag, UInt8(count)] + content }
    let bytes =
      count > 0xFF ? [0x82, UInt8(count >> 8), UInt8(count & 0xFF)] : [0x81, UInt8(count)]
    return [tag] + bytes + content
  }

  static func sequence(_ parts: [[UInt8]]) -> [UInt8] { node(0x30, parts.flatMap(\.self)) }

  /// `1.2.3.x`, or anyPolicy for 0.
  static func policy(_ number: UInt8) -> [UInt8] {
    number == 0 ? [0x06, 0x04, 0x55, 0x1D, 0x20, 0x00] : [0x06, 0x03, 0x2A, 0x03, number]
  }

  private static func commonName(_ name: String) -> [UInt8] {
    let attribute = sequence([[0x06, 0x03, 0x55, 0x04, 0x03], node(0x0C, Array(name.utf8))])
    return sequence([node(0x31, attribute)])
  }
}
