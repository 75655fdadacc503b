import Foundation

#if canImport(Glibc)
/// Glibc declares the socket types as an enumeration.
let streamSocketType = CInt(SOCK_STREAM.rawValue)
#else
let streamSocketType = SOCK_STREAM
#endif
