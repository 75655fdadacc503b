#if canImport(FoundationEssentials)
@_spi(_Unicode) import Swift

extension String {
  /// The text in Unicode's form NFC, as the standard library makes it for FoundationEssentials, which has no
  /// interface for it.
  var composed: String { String(UnicodeScalarView(_nfc)) }
}
#else
extension String {
  /// The text in Unicode's form NFC.
  var composed: String { precomposedStringWithCanonicalMapping }
}
#endif

extension String.UnicodeScalarView {
  fileprivate init(_ scalars: some Sequence<Unicode.Scalar>) {
    self.init()
    append(contentsOf: scalars)
  }
}
