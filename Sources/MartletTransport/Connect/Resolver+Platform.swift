import EssentialFoundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

#if canImport(Glibc)
/// Glibc declares the socket types as an enumeration.
let streamSocketType = CInt(SOCK_STREAM.rawValue)
#else
let streamSocketType = SOCK_STREAM
#endif

/// What the system's resolver said.
struct ResolverFailure: Error, CustomStringConvertible {
  let status: CInt

  var description: String {
    String(cString: gai_strerror(status))
  }
}
