import Foundation

/// What the system's resolver said.
struct ResolverFailure: Error, CustomStringConvertible {
  let status: CInt

  var description: String {
    String(cString: gai_strerror(status))
  }
}
