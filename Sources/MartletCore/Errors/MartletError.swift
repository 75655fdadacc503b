public import EssentialFoundation
public import NIOCore

/// The one error of Martlet: what happened, why, and what can be done about it.
///
/// `message` is a sentence for a person. `code` is for the program. Everything else is there where it
/// applies.
public struct MartletError: Error, Sendable {
  /// What kind of failure this is.
  public var code: Code
  /// A sentence that says what happened and what to do.
  public var message: String
  /// The part of the exchange that failed.
  public var phase: Phase?
  /// Whether the request was provably not processed, so that it may be sent again even if it is not
  /// idempotent.
  public var isSafeToRetry = false

  private var details: Details?

  /// The parts of an exchange, in order.
  public enum Phase: String, Hashable, Sendable {
    /// Finding the addresses of the host.
    case resolve
    /// Connecting to one of them.
    case connect
    /// Being let through by a proxy.
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

  /// What only some errors carry, kept apart so that an error stays small.
  private final class Details: Sendable {
    let underlying: (any Error)?
    let request: Request?
    let response: ResponseHead?
    let body: ByteBuffer?
    let addresses: [String]
    let object: (any Sendable)?
    let resumeData: ResumeData?
    let trust: ServerTrust?

    init(
      underlying: (any Error)?, request: Request?, response: ResponseHead?, body: ByteBuffer?,
      addresses: [String], object: (any Sendable)?, resumeData: ResumeData?, trust: ServerTrust?
    ) {
      self.underlying = underlying
      self.request = request
      self.response = response
      self.body = body
      self.addresses = addresses
      self.object = object
      self.resumeData = resumeData
      self.trust = trust
    }
  }

  /// An error from its parts.
  ///
  /// - Parameters:
  ///   - code: What kind of failure this is.
  ///   - message: A sentence that says what happened and what to do. What a terminal would obey is written
  ///     out, such as `\u{1b}`, because names and texts of a server may be part of it.
  ///   - phase: The part of the exchange that failed. The default is none.
  ///   - underlying: What caused it. The default is nothing.
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
  /// How many bytes of a body an error keeps: 64 KiB.
  public static let bodyLimit = 64 << 10

  /// What caused this error.
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

  /// The first `bodyLimit` bytes of the response's body, if any were at hand.
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

  /// What the response was decoded to in spite of its status (RES-E3).
  public var object: (any Sendable)? {
    get { details?.object }
    set { change(object: newValue) }
  }

  /// What a download left, if it can go on from there (SES-D9).
  ///
  /// The partial file stays until the download is resumed and comes to its end, or `discard()` removes it.
  public var resumeData: ResumeData? {
    get { details?.resumeData }
    set { change(resumeData: newValue) }
  }

  /// What the server showed of itself, when it was not trusted (SES-A8).
  public var trust: ServerTrust? {
    get { details?.trust }
    set { change(trust: newValue) }
  }

  private mutating func change(
    underlying: (any Error)?? = nil, request: Request?? = nil, response: ResponseHead?? = nil,
    body: ByteBuffer?? = nil, addresses: [String]? = nil, object: (any Sendable)?? = nil,
    resumeData: ResumeData?? = nil, trust: ServerTrust?? = nil
  ) {
    details = Details(
      underlying: underlying ?? details?.underlying, request: request ?? details?.request,
      response: response ?? details?.response, body: body ?? details?.body,
      addresses: addresses ?? details?.addresses ?? [], object: object ?? details?.object,
      resumeData: resumeData ?? details?.resumeData,
      trust: trust ?? details?.trust)
  }
}

extension MartletError: CustomStringConvertible, LocalizedError {
  /// The sentence.
  public var description: String { message }
  /// The sentence.
  public var errorDescription: String? { message }
}

/// Errors on top of errors.
extension MartletError {
  /// Whether this error, or one underneath it, is of that kind (RES-E2).
  ///
  /// - Parameter code: What is looked for.
  /// - Returns: Whether it is there.
  public func hasCode(_ code: Code) -> Bool {
    self.code == code || (underlying as? MartletError)?.hasCode(code) ?? false
  }

  /// The error with `previous` underneath (RES-E1), and underneath that what it had there itself, so that
  /// nothing is lost.
  package func combined(with previous: MartletError?) -> MartletError {
    guard var previous else { return self }
    if let own = underlying { previous = previous.onTop(of: own) }
    var combined = self
    combined.underlying = previous
    return combined
  }

  /// The error with `cause` at the very bottom of what is underneath.
  private func onTop(of cause: any Error) -> MartletError {
    var error = self
    switch underlying {
    case nil: error.underlying = cause
    case let next as MartletError: error.underlying = next.onTop(of: cause)
    default: break
    }
    return error
  }
}
