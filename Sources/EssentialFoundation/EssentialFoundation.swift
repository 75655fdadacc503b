// The part of Foundation that links no ICU. Files import this module in its place, so that none of them says which
// name that part has on which system.

#if canImport(FoundationEssentials)
@_exported public import FoundationEssentials
#else
@_exported public import Foundation
#endif
