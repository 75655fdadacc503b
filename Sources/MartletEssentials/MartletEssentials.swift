// Besides Foundation, which has `URL`, one import is enough for an application: the vocabulary of requests and
// responses, and the engine's configuration, come along.

@_exported public import HTTPTypes
@_exported public import MartletCore
@_exported public import MartletTransport
public import NIOCore

/// Bytes in memory, as SwiftNIO has them: the only type of NIO that applications meet.
public typealias ByteBuffer = NIOCore.ByteBuffer

/// The version of this library, as the default `User-Agent` shows it.
package let martletVersion = "0.1.0"
