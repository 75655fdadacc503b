@_exported public import HTTPTypes
@_exported public import MartletCore
public import NIOCore

/// Bytes in memory, as SwiftNIO has them: the only type of NIO that applications meet.
public typealias ByteBuffer = NIOCore.ByteBuffer
