extension MartletError {
  /// The kinds of failure. New ones may be added: end a `switch` with `default`.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private let name: String

    /// The name of the code.
    public var description: String { name }

    // MARK: The request

    /// The text is no URL, or the URL has no host or an impossible port.
    public static let invalidURL = Code(name: "invalidURL")
    /// The URL is not `http` or `https`.
    public static let unsupportedScheme = Code(name: "unsupportedScheme")
    /// A header name or value holds what may not stand there.
    public static let invalidHeader = Code(name: "invalidHeader")
    /// The method or target holds what may not stand in a request line.
    public static let invalidRequest = Code(name: "invalidRequest")
    /// The parameters cannot be encoded as JSON (REQ-J5).
    public static let invalidJSONParameters = Code(name: "invalidJSONParameters")
    /// The parameters cannot be encoded.
    public static let invalidParameters = Code(name: "invalidParameters")
    /// A URL that should name a file does not.
    public static let notFileURL = Code(name: "notFileURL")
    /// A file does not exist or cannot be read.
    public static let fileNotReachable = Code(name: "fileNotReachable")
    /// A body that can be sent only once was needed again.
    public static let bodyNotReplayable = Code(name: "bodyNotReplayable")
    /// A body could not be read: what produces it failed, or two readers asked at once.
    public static let bodyNotReadable = Code(name: "bodyNotReadable")
    /// A body, sent or received, had more or fewer bytes than were announced.
    public static let bodyLengthMismatch = Code(name: "bodyLengthMismatch")

    /// A response that was wanted from the cache only is not there.
    public static let notCached = Code(name: "notCached")

    // MARK: The connection

    /// The host has no address.
    public static let unknownHost = Code(name: "unknownHost")
    /// None of the host's addresses may be connected to, by the address policy.
    public static let addressNotAllowed = Code(name: "addressNotAllowed")
    /// No connection could be made.
    public static let connectionFailed = Code(name: "connectionFailed")
    /// A part of the exchange took too long; `phase` says which.
    public static let timedOut = Code(name: "timedOut")
    /// The connection was lost.
    public static let connectionLost = Code(name: "connectionLost")
    /// The server does not speak the version of HTTP that is asked for, or what is asked for does not exist in the version
    /// that it speaks.
    public static let protocolNotSupported = Code(name: "protocolNotSupported")
    /// The server gave one request of an HTTP/2 connection up (RFC 9113 §5.4.2).
    public static let streamReset = Code(name: "streamReset")
    /// The call was cancelled.
    public static let cancelled = Code(name: "cancelled")
    /// The transport has been shut down.
    public static let shutDown = Code(name: "shutDown")
    /// The engine has lost the request and will not answer it, which is a fault of the engine.
    public static let requestLost = Code(name: "requestLost")

    // MARK: The proxy

    /// What says which proxies to use makes no sense.
    public static let invalidProxy = Code(name: "invalidProxy")
    /// No connection to the proxy could be made.
    public static let proxyNotReachable = Code(name: "proxyNotReachable")
    /// The proxy broke off, failed, or answered with what no proxy answers.
    public static let proxyFailed = Code(name: "proxyFailed")
    /// The proxy will not, or cannot, connect to the server.
    public static let proxyRefused = Code(name: "proxyRefused")
    /// The proxy wants to know who asks, or does not accept who does.
    public static let proxyAuthenticationRequired = Code(name: "proxyAuthenticationRequired")

    // MARK: TLS

    /// The handshake failed for a reason other than the certificate.
    public static let tlsFailed = Code(name: "tlsFailed")
    /// The certificate's time is over.
    public static let certificateExpired = Code(name: "certificateExpired")
    /// The certificate's time has not come.
    public static let certificateNotYetValid = Code(name: "certificateNotYetValid")
    /// The certificate vouches for itself, and is not among the roots.
    public static let certificateSelfSigned = Code(name: "certificateSelfSigned")
    /// The certificate was not issued by a trusted authority, or is used for what it is not meant for.
    public static let certificateUntrusted = Code(name: "certificateUntrusted")
    /// The certificate is for another host.
    public static let certificateWrongHost = Code(name: "certificateWrongHost")
    /// A certificate cannot be read, or its signature cannot be verified.
    public static let certificateUnreadable = Code(name: "certificateUnreadable")
    /// A certificate's signature or key is too weak.
    public static let certificateTooWeak = Code(name: "certificateTooWeak")
    /// None of the server's certificates is pinned.
    public static let certificateNotPinned = Code(name: "certificateNotPinned")
    /// The TLS options contradict each other, or TLS cannot do what they say.
    public static let invalidTLSOptions = Code(name: "invalidTLSOptions")
    /// A pin cannot be read.
    public static let invalidPin = Code(name: "invalidPin")
    /// A text that should be a pattern of hosts is none.
    public static let invalidHostPattern = Code(name: "invalidHostPattern")
    /// A security policy cannot do what it says.
    public static let invalidSecurityPolicy = Code(name: "invalidSecurityPolicy")
    /// A client certificate or its private key cannot be used.
    public static let invalidClientIdentity = Code(name: "invalidClientIdentity")
    /// The server wants to see a client certificate, and there is none for it.
    public static let clientCertificateRequired = Code(name: "clientCertificateRequired")
    /// The server does not accept the client certificate.
    public static let clientCertificateRefused = Code(name: "clientCertificateRefused")
    /// Certificates that should be trusted cannot be read, or the system has none.
    public static let invalidTrustRoots = Code(name: "invalidTrustRoots")

    // MARK: Authentication

    /// The server refuses the user's name and password, or the token.
    public static let credentialsRefused = Code(name: "credentialsRefused")
    /// The server requires authentication by a scheme or an algorithm that the credential cannot answer.
    public static let unsupportedAuthentication = Code(name: "unsupportedAuthentication")
    /// The code that answers a challenge, or refreshes a token, failed.
    public static let authenticationFailed = Code(name: "authenticationFailed")
    /// A netrc file cannot be read.
    public static let invalidNetrc = Code(name: "invalidNetrc")

    // MARK: Cookies

    /// A cookie is not taken, for no field can hold it, or the server may not set it.
    public static let cookieRefused = Code(name: "cookieRefused")
    /// A file that should hold cookies holds something else.
    public static let invalidCookieFile = Code(name: "invalidCookieFile")
    /// Another process writes a file of cookies, and does not come to an end.
    public static let cookieFileInUse = Code(name: "cookieFileInUse")

    // MARK: The response

    /// The response does not follow the rules of HTTP.
    public static let malformedResponse = Code(name: "malformedResponse")
    /// The response's head is over the limit.
    public static let headTooLarge = Code(name: "headTooLarge")
    /// The body is over the limit.
    public static let bodyTooLarge = Code(name: "bodyTooLarge")
    /// The connection ended before the body did.
    public static let bodyTruncated = Code(name: "bodyTruncated")
    /// A compressed body is malformed.
    public static let contentDecodingFailed = Code(name: "contentDecodingFailed")
    /// A compressed body swells beyond the limits.
    public static let decompressionLimitExceeded = Code(name: "decompressionLimitExceeded")
    /// The body could not be written to its file.
    public static let fileNotWritable = Code(name: "fileNotWritable")
    /// What a download was to be resumed from is of no use: it is about another URL, cannot be read, or its
    /// partial file is gone.
    public static let invalidResumeData = Code(name: "invalidResumeData")
    /// The server sent another part of a body than the one asked for, or a part where the whole was asked for.
    public static let wrongRange = Code(name: "wrongRange")
    /// A checksum cannot be read.
    public static let invalidChecksum = Code(name: "invalidChecksum")
    /// The body is not the one that a digest is about (RFC 9530), or the caller's checksum.
    public static let digestMismatch = Code(name: "digestMismatch")
    /// Another task or process works on the same download.
    public static let downloadInUse = Code(name: "downloadInUse")
    /// There were more redirects than allowed.
    public static let tooManyRedirects = Code(name: "tooManyRedirects")
    /// A redirect leads from https to http.
    public static let insecureRedirect = Code(name: "insecureRedirect")
    /// The status code is not acceptable (RES-V7).
    public static let unacceptableStatusCode = Code(name: "unacceptableStatusCode")
    /// The content type is not acceptable (RES-V5).
    public static let unacceptableContentType = Code(name: "unacceptableContentType")
    /// The body cannot be decoded.
    public static let decodingFailed = Code(name: "decodingFailed")
    /// Something could not be encoded, such as a picture.
    public static let encodingFailed = Code(name: "encodingFailed")
  }
}
