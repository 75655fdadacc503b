public import Foundation
@_exported public import MartletEssentials

/// The functions of Foundation that this module provides to `MartletEssentials`.
extension FoundationExtras: WholeFoundation {
  package func post(_ name: String, object: AnyObject?, userInfo: [String: any Sendable]) {
    NotificationCenter.default.post(
      name: Notification.Name(name), object: object, userInfo: userInfo.isEmpty ? nil : userInfo)
  }

  package var programVersion: String? {
    Bundle.main.infoDictionary?["CFBundleShortVersionString"] as? String
  }

  package var programCertificates: Set<Data> { SecurityPolicy.certificates(in: .main) }

  package func latin(_ text: String) -> String? {
    text.applyingTransform(StringTransform("Any-Latin; Latin-ASCII"), reverse: false)
  }

  package func localized(_ words: String) -> String {
    Bundle.main.localizedString(forKey: words, value: words, table: "Martlet")
  }
}

extension SecurityPolicy {
  /// Returns the certificates in the resources of a program or library: the files at the top level with the extension
  /// `cer` (SEC-3).
  ///
  /// - Parameter bundle: The bundle, such as `.main`, or a library's `.module`.
  /// - Returns: The contents of the files, unchanged.
  public static func certificates(in bundle: Bundle) -> Set<Data> {
    guard let folder = bundle.resourceURL else { return [] }
    let files = (try? files(in: folder, extensions: ["cer"])) ?? []
    return files.reduce(into: []) { found, file in
      if let data = try? Data(contentsOf: file) { found.insert(data) }
    }
  }
}
