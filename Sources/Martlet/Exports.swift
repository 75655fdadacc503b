// `import Martlet` is enough for an application: the vocabulary of requests and responses comes along.

@_exported public import HTTPTypes
@_exported public import MartletCore
public import MartletTransport
public import NIOCore

/// Bytes in memory, as SwiftNIO has them: the only type of NIO that applications meet.
public typealias ByteBuffer = NIOCore.ByteBuffer
/// How an engine connects, how long it waits, and how much it accepts.
public typealias EngineConfiguration = MartletTransport.EngineConfiguration
/// The engine beneath a session, for use without one.
public typealias HTTPTransport = MartletTransport.HTTPTransport
/// Whom to trust, and with which TLS.
public typealias TLSOptions = MartletTransport.TLSOptions
