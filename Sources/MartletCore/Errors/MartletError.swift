public import EssentialFoundation
public import NIOCore

/// The error type of Martlet: what happened, why, and how to correct it.
///
/// `message` is a sentence for people, and `code` is for the program. The other properties are set where they apply.
public struct MartletError: Error, Sendable {
  /// The kind of failure.
  public var code: Code
  /// A sentence that says what happened and what to do.
  public var message: String
  /// The part of the exchange that failed.
  public var phase: Phase?
  /// Whether the server has certainly not processed the request, so that even a request that is not idempotent may be
  /// sent again.
  public var isSafeToRetry = false

  private var details: Details?

  /// The parts of an exchange, in order.
  public enum Phase: String, Hashable, Sendable {
    /// Finding the addresses of the host.
    case resolve
    /// Connecting to one of the addresses.
    case connect
    /// The handshake with a proxy.
    case proxy
    /// The TLS handshake.
    case tls
    /// Sending head and body.
    case send
    /// Waiting for the response.
    case wait
    /// Receiving the response.
    case receive
    /// Turning the response into a value.
    case decode
  }

  /// The properties that only some errors have, stored separately so that an error stays small.
  private final class Details: Sendable {
    let underlying: (any Error)?
    let request: Request?
    let response: ResponseHead?
    let body: ByteBuffer?
    let addresses: [String]
    let object: (any Sendable)?
    let resumeData: ResumeData?
    let trust: ServerTrust?
    let failedAttempts: [FailedAttempt]

    init(
      underlying: (any Error)?, request: Request?, response: ResponseHead?, body: ByteBuffer?,
      addresses: [String], object: (any Sendable)?, resumeData: ResumeData?, trust: ServerTrust?,
      failedAttempts: [FailedAttempt]
    ) {
      self.underlying = underlying
      self.request = request
      self.response = response
      self.body = body
      self.addresses = addresses
      self.object = object
      self.resumeData = resumeData
      self.trust = trust
      self.failedAttempts = failedAttempts
    }
  }

  /// An error from its parts.
  ///
  /// - Parameters:
  ///   - code: The kind of failure.
  ///   - message: A sentence that says what happened and what to do. Terminal control characters are escaped, such as
  ///     `\u{1b}`, because the sentence may contain text from a server.
  ///   - phase: The part of the exchange that failed. The default is none.
  ///   - underlying: The error that caused it. The default is none.
  public init(
    _ code: Code, _ message: String, phase: Phase? = nil, underlying: (any Error)? = nil
  ) {
    self.code = code
    self.message = message.escapingControlCharacters
    self.phase = phase
    if underlying != nil { self.underlying = underlying }
  }
}

extension MartletError {
  /// The most bytes of a body that an error keeps: 64 KiB.
  public static let bodyLimit = 64 << 10

  /// The error that caused this one.
  public var underlying: (any Error)? {
    get { details?.underlying }
    set { change(underlying: newValue) }
  }

  /// The request that failed.
  public var request: Request? {
    get { details?.request }
    set { change(request: newValue) }
  }

  /// The head of the response, if one had arrived.
  public var response: ResponseHead? {
    get { details?.response }
    set { change(response: newValue) }
  }

  /// The first `bodyLimit` bytes of the response's body, if any were available.
  public var body: ByteBuffer? {
    get { details?.body }
    set {
      change(
        body: newValue.flatMap {
          $0.getSlice(at: $0.readerIndex, length: min($0.readableBytes, Self.bodyLimit))
        })
    }
  }

  /// The addresses that were tried, in order.
  public var addresses: [String] {
    get { details?.addresses ?? [] }
    set { change(addresses: newValue) }
  }

  /// The value that the response was decoded to in spite of its status (RES-E3).
  public var object: (any Sendable)? {
    get { details?.object }
    set { change(object: newValue) }
  }

  /// The data to resume a download, if that is possible (SES-D9).
  ///
  /// The partial file is kept until the resumed download has finished, or `discard()` removes it.
  public var resumeData: ResumeData? {
    get { details?.resumeData }
    set { change(resumeData: newValue) }
  }

  /// The server's certificates and the verdict, if the server was not trusted (SES-A8).
  public var trust: ServerTrust? {
    get { details?.trust }
    set { change(trust: newValue) }
  }

  /// The attempts before the last one that have failed, the latest 20 of them, in order.
  public var failedAttempts: [FailedAttempt] {
    get { details?.failedAttempts ?? [] }
    set { change(failedAttempts: newValue) }
  }

  private mutating func change(
    underlying: (any Error)?? = nil, request: Request?? = nil, response: ResponseHead?? = nil,
    body: ByteBuffer?? = nil, addresses: [String]? = nil, object: (any Sendable)?? = nil,
    resumeData: ResumeData?? = nil, trust: ServerTrust?? = nil,
    failedAttempts: [FailedAttempt]? = nil
  ) {
    details = Details(
      underlying: underlying ?? details?.underlying, request: request ?? details?.request,
      response: response ?? details?.response, body: body ?? details?.body,
      addresses: addresses ?? details?.addresses ?? [], object: object ?? details?.object,
      resumeData: resumeData ?? details?.resumeData,
      trust: trust ?? details?.trust,
      failedAttempts: failedAttempts ?? details?.failedAttempts ?? [])
  }
}

extension MartletError: CustomStringConvertible, LocalizedError {
  /// The message.
  public var description: String { message }
  /// The message.
  public var errorDescription: String? { message }
}

/// Chains of errors.
extension MartletError {
  /// Whether this error, or an underlying one, has the code (RES-E2).
  ///
  /// - Parameter code: The code.
  /// - Returns: Whether an error in the chain has the code.
  public func hasCode(_ code: Code) -> Bool {
    self.code == code || (underlying as? MartletError)?.hasCode(code) ?? false
  }

  /// Returns the error with `previous` as its underlying error (RES-E1).
  ///
  /// The underlying error that it had before becomes the last of the chain. It is lost if the chain already ends with
  /// an error of another type, which has no underlying error.
  package func combined(with previous: MartletError?) -> MartletError {
    guard var previous else { return self }
    if let own = underlying { previous = previous.appending(cause: own) }
    var combined = self
    combined.underlying = previous
    return combined
  }

  /// Returns the error with `cause` at the end of the chain of its underlying errors.
  private func appending(cause: any Error) -> MartletError {
    var error = self
    switch underlying {
    case nil: error.underlying = cause
    case let next as MartletError: error.underlying = next.appending(cause: cause)
    default: break
    }
    return error
  }
}
