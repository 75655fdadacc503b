// Re-exports Dispatch, the C library, and the part of Foundation that does not link ICU. Files import this module
// instead of Foundation, so that no other file needs the names of these modules on each system.

@_exported public import Dispatch

#if canImport(FoundationEssentials)
@_exported public import FoundationEssentials
#else
@_exported public import Foundation
#endif

#if canImport(Glibc)
@_exported public import Glibc
#elseif canImport(Musl)
@_exported public import Musl
#endif
