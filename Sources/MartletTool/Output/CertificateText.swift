import Foundation
import Martlet
import MartletCore
import MartletTransport

/// A server's certificates as text. A terminal obeys nothing of the names in them.
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
      "\(position)  \(certificate.holder.visible)\(wasSent ? "" : " (not sent)")",
      "   issuer  \(certificate.issuer.visible)",
      "   valid   \(certificate.notBefore.day) to \(certificate.notAfter.day)",
      "   key     \(certificate.key)",
      "   pin     \(certificate.pin)",
    ]
    if !certificate.hosts.isEmpty {
      lines.insert("   hosts   \(certificate.hosts.joined(separator: ", ").visible)", at: 2)
    }
    return lines + [""]
  }
}

extension Date {
  fileprivate var day: String { formatted(.iso8601.year().month().day()) }
}
