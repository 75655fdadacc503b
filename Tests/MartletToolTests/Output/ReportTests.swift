import Foundation
import Martlet
import Testing

@testable import MartletTool

/// The sentences of the library's errors, as the tool says them.
struct ReportTests {
  @Test func `an error advises options of the tool, and no settings of the library`() throws {
    let origin = try Request(.get, "https://h/").origin
    let insecure = try Request(.get, "http://h/x").url
    let partial = URL(fileURLWithPath: "/a.part")
    for (error, sentence) in [
      (.notHTTP2(origin), "https://h does not speak HTTP/2: leave out --http2 to allow HTTP/1.1."),
      (
        .connectionBroken(origin, code: "PROTOCOL_ERROR", underlying: nil),
        "https://h broke the rules of HTTP/2 (PROTOCOL_ERROR), so the connection was closed: add --http1 to use HTTP/1.1 instead."
      ),
      (.headTooLarge(limit: 9), "The head of the response is larger than 9 bytes."),
      (.bodyTooLarge(limit: 9), "The body of the response is larger than 9 bytes."),
      (
        .decompressionLimitExceeded("gzip", "it grew"),
        "The gzip body was given up because it grew: add “Accept-Encoding:” to receive it without decompression."
      ),
      (
        .clientCertificate(origin, wasShown: false, underlying: CancellationError()),
        "https://h requires a client certificate: give one with --cert."
      ),
      (
        .insecureRedirect(to: insecure),
        "The server leads from https to “http://h/x”, which is not encrypted: request that URL directly."
      ),
      (
        .noCommonVersion(origin),
        "The TLS handshake with https://h failed: the server speaks neither TLS 1.2 nor TLS 1.3."
      ),
      (
        .noTrustRoots(at: ["/a"]),
        "No trusted root certificates were found at “/a”: install the package ca-certificates, or give roots with --cacert."
      ),
      (
        .partialFileGone(partial),
        "The partial file “/a.part” is not there any more: leave out --continue to download from the beginning."
      ),
      (
        .wrongRange(4, got: "bytes 0-3/10"),
        "The request was for the bytes from 4 on, but the server sent “bytes 0-3/10”: try again later, or leave out --continue to download from the beginning."
      ),
    ] as [(MartletError, String)] {
      #expect(Report.sentence(error) == sentence)
    }
  }
}
