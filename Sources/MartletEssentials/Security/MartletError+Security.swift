import EssentialFoundation
import MartletCore

/// Errors of security policies.
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
      "The archived security policy has an unknown entry “\(name.masked)”: check its spelling.",
      phase: .tls)
  }

  /// The error for a policy that pins, without a base URL of the scheme `https` (HTM-9).
  static func pinningNeedsHTTPS(_ mode: SecurityPolicy.PinningMode) -> MartletError {
    let pins = mode == .disabled ? "with pins" : "configured with `\(mode)`"
    return MartletError(
      .invalidSecurityPolicy,
      "A security policy \(pins) can only be applied on a manager with a secure base URL (i.e. https).",
      phase: .tls)
  }
}

extension SecurityPolicy {
  /// Returns the error of using the policy with a base URL, if there is one: pinning needs https.
  func problem(under baseURL: URL?) -> MartletError? {
    guard isPinning, baseURL?.scheme?.lowercased() != "https" else { return nil }
    return .pinningNeedsHTTPS(pinningMode)
  }
}
