// The part of Foundation that links no ICU, with the C library and Dispatch, which Foundation brings along. Files import
// this module in its place, so that none of them says what these are called on which system.

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
