public import Foundation
@_exported public import MartletEssentials

/// What this module adds to the essentials without a name of its own.
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
  /// The certificates in the resources of a program or library: the files at their top whose extension is
  /// `cer`, as they are (SEC-3).
  ///
  /// - Parameter bundle: Such as `.main`, or a library's `.module`.
  /// - Returns: The contents of the files.
  public static func certificates(in bundle: Bundle) -> Set<Data> {
    guard let folder = bundle.resourceURL else { return [] }
    let files = (try? files(in: folder, extensions: ["cer"])) ?? []
    return files.reduce(into: []) { found, file in
      if let data = try? Data(contentsOf: file) { found.insert(data) }
    }
  }
}
