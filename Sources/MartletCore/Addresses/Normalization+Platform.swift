import EssentialFoundation

#if canImport(FoundationEssentials)
@_spi(_Unicode) import Swift

extension String {
  /// The text in Unicode's form NFC.
  ///
  /// FoundationEssentials has no function for it, so this uses an internal interface of the standard library.
  package var composed: String { String(UnicodeScalarView(_nfc)) }

  /// The text in Unicode's form NFD.
  package var decomposed: String { String(UnicodeScalarView(_nfd)) }
}

extension String.UnicodeScalarView {
  fileprivate init(_ scalars: some Sequence<Unicode.Scalar>) {
    self.init()
    append(contentsOf: scalars)
  }
}
#else
extension String {
  /// The text in Unicode's form NFC.
  package var composed: String { precomposedStringWithCanonicalMapping }

  /// The text in Unicode's form NFD.
  package var decomposed: String { decomposedStringWithCanonicalMapping }
}
#endif
