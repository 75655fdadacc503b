package import EssentialFoundation

/// What only all of Foundation can do, and the module Martlet adds to this one: a program that has that module finds it
/// by the conformance of ``FoundationExtras``, and one that has only this module goes without.
package protocol WholeFoundation: Sendable {
  /// Posts a notification, on the calling thread.
  func post(_ name: String, object: AnyObject?, userInfo: [String: any Sendable])
  /// The version in the program's bundle.
  var programVersion: String? { get }
  /// The certificates in the program's bundle.
  var programCertificates: Set<Data> { get }
  /// A text in Latin letters without accents.
  func latin(_ text: String) -> String?
  /// Words as the program's strings table has them.
  func localized(_ words: String) -> String
}

/// What Martlet makes conform to ``WholeFoundation``.
package struct FoundationExtras: Sendable {
  /// All of Foundation, where the program has it.
  package static let whole = FoundationExtras() as Any as? any WholeFoundation
}
