import EssentialFoundation
import MartletCore

/// Policies that cannot do what they say.
extension MartletError {
  static let unreadablePin = MartletError(
    .invalidSecurityPolicy,
    "A pinned certificate cannot be read: it must be in DER form; `SecurityPolicy.certificates(at:)` reads PEM files.",
    phase: .tls)

  static func folderNotReadable(_ folder: URL, underlying: any Error) -> MartletError {
    MartletError(
      .invalidTrustRoots,
      "The folder of certificates “\(folder.path.masked)” cannot be read: check that it is there.",
      phase: .tls, underlying: underlying)
  }

  static func unknownEntry(_ name: String) -> MartletError {
    MartletError(
      .invalidSecurityPolicy,
      "The archived security policy has an entry “\(name.masked)”, which means nothing: check how it is spelled.",
      phase: .tls)
  }

  /// HTM-9.
  static func pinningNeedsHTTPS(_ mode: SecurityPolicy.PinningMode) -> MartletError {
    MartletError(
      .invalidSecurityPolicy,
      "A security policy configured with `\(mode)` can only be applied on a manager with a secure base URL (i.e. https).",
      phase: .tls)
  }
}

extension SecurityPolicy {
  /// What speaks against the policy on a manager with a base URL: pinning makes sense for https alone.
  func problem(under baseURL: URL?) -> MartletError? {
    guard isPinning, baseURL?.scheme?.lowercased() != "https" else { return nil }
    return .pinningNeedsHTTPS(pinningMode)
  }
}
