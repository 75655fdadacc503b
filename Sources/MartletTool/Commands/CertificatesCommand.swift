import ArgumentParser
import EssentialFoundation
import MartletEssentials
import MartletCore
import MartletTransport

/// `martlet certs URL`
struct CertificatesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "certs",
    abstract: "Print the certificates of a server, whether they are trusted, and their pins.",
    discussion: """
      The connection is closed after the TLS handshake, and no request is sent. Exits with 1 when the \
      certificates are not trusted.

      EXAMPLES
        martlet certs https://example.com
        martlet certs --cacert root.pem localhost:8443
      """)

  @Argument(help: ArgumentHelp("The server. Without a scheme, https is used.", valueName: "URL"))
  var url: String

  @OptionGroup(title: "Proxy")
  var proxies: ProxyOptions

  @OptionGroup(title: "Trust")
  var trust: TrustOptions

  func run() async throws {
    try await Report.run {
      let verdict = try await fetchTrust()
      let text = CertificateText(verdict)
      try OutputHandle.output.write(text.lines.joined(separator: "\n") + "\n")
      if let error = verdict.error { throw error }
      return .success
    }
  }

  /// The server's certificates and their evaluation. The certificates are always rejected afterwards, so no request is
  /// sent.
  private func fetchTrust() async throws -> ServerTrust {
    let request = try Request(.head, wholeURL)
    guard try request.origin.isSecure else {
      throw ToolFailure.usage(
        "\(url.masked) is not an https URL, so it has no certificates: write an https URL.")
    }
    var configuration = SessionConfiguration()
    try trust.apply(to: &configuration, for: [request])
    configuration.proxies = try proxies.configuration
    let seen = Locked<ServerTrust?>(nil)
    configuration.securityPolicy.onEvaluation = { trust in seen.withLock { $0 = trust } }
    configuration.securityPolicy.evaluationOverride = { _ in false }
    let session = URLSessionManager(configuration: configuration)
    do {
      _ = try await session.send(request)
    } catch {
      guard seen.current != nil else { throw error }
    }
    guard let verdict = seen.current else {
      throw ToolFailure("\(url.masked) has sent no certificates.")
    }
    return verdict
  }

  private var wholeURL: String {
    url.contains("://") ? url : "https://" + url
  }
}

/// A server's certificates as text. Characters in names that control a terminal are escaped.
struct CertificateText {
  let lines: [String]

  init(_ trust: ServerTrust) {
    let chain = trust.chain.isEmpty ? trust.certificates : trust.chain
    var lines: [String] = []
    for (position, der) in chain.enumerated() {
      lines += Self.lines(for: der, at: position, wasSent: trust.certificates.contains(der))
    }
    self.lines =
      lines + [trust.isTrusted ? "“\(trust.host)” is trusted." : "“\(trust.host)” is not trusted."]
  }

  private static func lines(for der: [UInt8], at position: Int, wasSent: Bool) -> [String] {
    guard let certificate = CertificateDescription(der: der) else {
      return ["\(position)  cannot be read", ""]
    }
    var lines = [
      "\(position)  \(certificate.subject.escapingControlCharacters)\(wasSent ? "" : " (not sent)")",
      "   issuer  \(certificate.issuer.escapingControlCharacters)",
      "   valid   \(certificate.notBefore.day) to \(certificate.notAfter.day)",
      "   key     \(certificate.key)",
      "   pin     \(certificate.pin)",
    ]
    if !certificate.hosts.isEmpty {
      lines.insert(
        "   hosts   \(certificate.hosts.joined(separator: ", ").escapingControlCharacters)", at: 2)
    }
    return lines + [""]
  }
}

extension Date {
  fileprivate var day: String { formatted(.iso8601.year().month().day()) }
}
