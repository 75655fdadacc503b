// An application needs this import, and Foundation for `URL`. This module re-exports the types of requests and
// responses, and the engine's configuration.

@_exported public import HTTPTypes
@_exported public import MartletCore
@_exported public import MartletTransport
public import NIOCore

/// Bytes in memory: the only type of SwiftNIO that applications use.
public typealias ByteBuffer = NIOCore.ByteBuffer

/// The version of this library, as the default `User-Agent` shows it.
package let martletVersion = "0.1.0"
