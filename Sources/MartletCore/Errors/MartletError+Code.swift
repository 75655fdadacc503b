extension MartletError {
  /// The kinds of failure. New ones may be added: end a `switch` with `default`.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private let name: String

    /// The name of the code.
    public var description: String { name }

    // MARK: The request

    /// The text is not a URL, or the URL has no scheme, no usable host or an invalid port.
    public static let invalidURL = Code(name: "invalidURL")
    /// The scheme of the URL is not `http`, `https`, `http+unix` or `https+unix`.
    public static let unsupportedScheme = Code(name: "unsupportedScheme")
    /// The name or value of a header field contains characters that are not allowed.
    public static let invalidHeader = Code(name: "invalidHeader")
    /// The request cannot be sent as it is: for example, its method or target contains characters that are not allowed
    /// in a request line, or the length of its body is negative.
    public static let invalidRequest = Code(name: "invalidRequest")
    /// The parameters cannot be encoded as JSON (REQ-J5).
    public static let invalidJSONParameters = Code(name: "invalidJSONParameters")
    /// The parameters cannot be encoded.
    public static let invalidParameters = Code(name: "invalidParameters")
    /// A URL that should be a file URL is not.
    public static let notFileURL = Code(name: "notFileURL")
    /// A file does not exist, cannot be read, is not a regular file, or does not contain the part to send.
    public static let fileNotReachable = Code(name: "fileNotReachable")
    /// A body that can be sent only once would have to be sent again.
    public static let bodyNotReplayable = Code(name: "bodyNotReplayable")
    /// A body could not be read: its source failed, or it was read from two places.
    public static let bodyNotReadable = Code(name: "bodyNotReadable")
    /// A body, sent or received, had more or fewer bytes than were announced.
    public static let bodyLengthMismatch = Code(name: "bodyLengthMismatch")

    /// A setting of the environment, of another source or of an archive does not exist, or its text has the wrong form.
    public static let invalidSetting = Code(name: "invalidSetting")

    /// The request allows only a cached response, and there is none.
    public static let notCached = Code(name: "notCached")
    /// The cache cannot be read or written. No request fails with this code: it is reported as the event `cacheFailed`.
    public static let cacheFailed = Code(name: "cacheFailed")

    // MARK: The connection

    /// The host has no address.
    public static let unknownHost = Code(name: "unknownHost")
    /// The address policy allows none of the host's addresses.
    public static let addressNotAllowed = Code(name: "addressNotAllowed")
    /// No connection could be made.
    public static let connectionFailed = Code(name: "connectionFailed")
    /// A part of the exchange took too long; `phase` is that part.
    public static let timedOut = Code(name: "timedOut")
    /// The connection was lost.
    public static let connectionLost = Code(name: "connectionLost")
    /// The server does not support the required HTTP version, or its HTTP version does not support the request.
    public static let protocolNotSupported = Code(name: "protocolNotSupported")
    /// The server reset the stream of a request over HTTP/2 (RFC 9113 §5.4.2).
    public static let streamReset = Code(name: "streamReset")
    /// The call was cancelled.
    public static let cancelled = Code(name: "cancelled")
    /// The transport has been shut down.
    public static let shutDown = Code(name: "shutDown")
    /// The engine has lost the request and will not answer it. This is a fault of the engine.
    public static let requestLost = Code(name: "requestLost")

    /// Too many requests to the server have failed, so that this one was not sent.
    public static let circuitOpen = Code(name: "circuitOpen")
    /// A limit on the requests to the server is reached, and the wait would be too long.
    public static let limitReached = Code(name: "limitReached")

    // MARK: The proxy

    /// A proxy setting is invalid.
    public static let invalidProxy = Code(name: "invalidProxy")
    /// No connection to the proxy could be made.
    public static let proxyNotReachable = Code(name: "proxyNotReachable")
    /// The proxy closed the connection, failed, or sent an invalid answer.
    public static let proxyFailed = Code(name: "proxyFailed")
    /// The proxy refuses to connect to the server, or cannot.
    public static let proxyRefused = Code(name: "proxyRefused")
    /// The proxy requires authentication, or does not accept the credentials.
    public static let proxyAuthenticationRequired = Code(name: "proxyAuthenticationRequired")

    // MARK: TLS

    /// The handshake failed for a reason other than the certificate, or the server requested a renegotiation.
    public static let tlsFailed = Code(name: "tlsFailed")
    /// The certificate has expired.
    public static let certificateExpired = Code(name: "certificateExpired")
    /// The certificate is not valid yet.
    public static let certificateNotYetValid = Code(name: "certificateNotYetValid")
    /// The certificate is self-signed and is not a trust anchor.
    public static let certificateSelfSigned = Code(name: "certificateSelfSigned")
    /// The certificate was not issued by a trusted authority, or is not accepted for another reason.
    public static let certificateUntrusted = Code(name: "certificateUntrusted")
    /// The certificate is for another host.
    public static let certificateWrongHost = Code(name: "certificateWrongHost")
    /// A certificate cannot be read, or its signature cannot be verified.
    public static let certificateUnreadable = Code(name: "certificateUnreadable")
    /// A certificate's signature or key is too weak.
    public static let certificateTooWeak = Code(name: "certificateTooWeak")
    /// The certificate chain of the server contains no pinned certificate or key.
    public static let certificateNotPinned = Code(name: "certificateNotPinned")
    /// The TLS options contradict each other, or TLS does not support them.
    public static let invalidTLSOptions = Code(name: "invalidTLSOptions")
    /// A pin cannot be read.
    public static let invalidPin = Code(name: "invalidPin")
    /// A text is not a host pattern.
    public static let invalidHostPattern = Code(name: "invalidHostPattern")
    /// A security policy cannot be applied as configured.
    public static let invalidSecurityPolicy = Code(name: "invalidSecurityPolicy")
    /// A client certificate or its private key cannot be used.
    public static let invalidClientIdentity = Code(name: "invalidClientIdentity")
    /// The server requires a client certificate, and none is set for it.
    public static let clientCertificateRequired = Code(name: "clientCertificateRequired")
    /// The server does not accept the client certificate.
    public static let clientCertificateRefused = Code(name: "clientCertificateRefused")
    /// Trust anchors cannot be read, or the system has none.
    public static let invalidTrustRoots = Code(name: "invalidTrustRoots")

    // MARK: Authentication

    /// The server refuses the user name and password, or the token.
    public static let credentialsRefused = Code(name: "credentialsRefused")
    /// The server requires authentication by a scheme or an algorithm that the credential cannot answer.
    public static let unsupportedAuthentication = Code(name: "unsupportedAuthentication")
    /// The code that answers a challenge, or refreshes a token, failed.
    public static let authenticationFailed = Code(name: "authenticationFailed")
    /// A netrc file cannot be read.
    public static let invalidNetrc = Code(name: "invalidNetrc")

    // MARK: Cookies

    /// A cookie is refused: a header field cannot represent it, or the server may not set it.
    public static let cookieRefused = Code(name: "cookieRefused")
    /// A file does not have the format of a cookie file.
    public static let invalidCookieFile = Code(name: "invalidCookieFile")
    /// Another process has been writing a cookie file for too long.
    public static let cookieFileInUse = Code(name: "cookieFileInUse")

    // MARK: The response

    /// The response does not follow the rules of HTTP.
    public static let malformedResponse = Code(name: "malformedResponse")
    /// The head of the response is larger than the limit.
    public static let headTooLarge = Code(name: "headTooLarge")
    /// The body is larger than the limit.
    public static let bodyTooLarge = Code(name: "bodyTooLarge")
    /// The connection ended before the body did.
    public static let bodyTruncated = Code(name: "bodyTruncated")
    /// A compressed body is malformed.
    public static let contentDecodingFailed = Code(name: "contentDecodingFailed")
    /// A compressed body expands beyond the limits.
    public static let decompressionLimitExceeded = Code(name: "decompressionLimitExceeded")
    /// A file could not be written, for example the file for the body of a response.
    public static let fileNotWritable = Code(name: "fileNotWritable")
    /// The data to resume a download cannot be used: it is for another URL, cannot be read, or its partial file does
    /// not exist any more.
    public static let invalidResumeData = Code(name: "invalidResumeData")
    /// The server sent another part of a body than requested, or a part when the whole body was requested.
    public static let wrongRange = Code(name: "wrongRange")
    /// A checksum cannot be read.
    public static let invalidChecksum = Code(name: "invalidChecksum")
    /// The body does not match the server's digest (RFC 9530) or the caller's checksum.
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
    /// A value, such as an image, could not be encoded.
    public static let encodingFailed = Code(name: "encodingFailed")
  }
}
