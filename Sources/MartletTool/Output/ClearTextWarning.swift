import Martlet
import MartletCore

/// Warns once that a password goes out as Basic and without TLS, where everything on the way can read it.
///
/// It looks at requests as they are sent, so it does not matter where the password comes from.
final class ClearTextWarning: Sendable {
  private let isGiven = Locked(false)

  /// Prints the warning on standard error when a request of a call calls for it.
  func follow(_ call: Call) {
    call.observe { [isGiven] event in
      guard case .sending(let request, _, _) = event.kind, let text = Self.text(for: request),
        !isGiven.withLock({ isGiven in
          defer { isGiven = true }
          return isGiven
        })
      else { return }
      Outlet.error.note(text)
    }
  }

  /// The line for a request as it is sent; `nil` when it has no such password, or the server is on this machine.
  static func text(for request: Request) -> String? {
    guard request.headers[.authorization]?.lowercased().hasPrefix("basic ") == true,
      let origin = try? request.origin, !origin.isSecure, !origin.isOfThisMachine
    else { return nil }
    return
      "martlet: warning: The password goes to \(origin) as Basic and without TLS, so that it can be read on the way: use https or --auth-type digest, or write --auth-type basic if that is meant."
  }
}
