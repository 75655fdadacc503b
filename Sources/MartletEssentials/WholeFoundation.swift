package import EssentialFoundation

/// Functions that need the complete Foundation module.
///
/// The module Martlet provides them: it makes ``FoundationExtras`` conform to this protocol. A program that has only
/// this module does not have them.
package protocol WholeFoundation: Sendable {
  /// Posts a notification, on the calling thread.
  func post(_ name: String, object: AnyObject?, userInfo: [String: any Sendable])
  /// The version in the program's bundle; `nil` if it has none.
  var programVersion: String? { get }
  /// The contents of the certificate files in the program's bundle.
  var programCertificates: Set<Data> { get }
  /// Returns a text transliterated to Latin letters without accents; `nil` if that fails.
  func latin(_ text: String) -> String?
  /// Returns words as the program's strings table translates them.
  func localized(_ words: String) -> String
}

/// The type that the module Martlet makes conform to ``WholeFoundation``.
package struct FoundationExtras: Sendable {
  /// The functions, if the program has the module Martlet.
  package static let current = FoundationExtras() as Any as? any WholeFoundation
}
