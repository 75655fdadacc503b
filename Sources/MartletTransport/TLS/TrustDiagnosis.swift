import Foundation
import MartletCore
import SwiftASN1
import X509

/// Says in one sentence why a chain was refused. It decides nothing: the verdict has been given.
struct TrustDiagnosis {
  let chain: [Certificate]
  let host: String

  /// The error that says why.
  ///
  /// - Parameter isKnown: Whether all is in order but for the host name.
  /// - Returns: The most specific one.
  func error(isKnown: Bool) -> MartletError {
    if isKnown { return .certificateWrongHost(host: host, names: names) }
    let now = Date()
    if let expired = chain.first(where: { $0.notValidAfter < now }) {
      return .certificateExpired(host: host, on: day(expired.notValidAfter))
    }
    if let early = chain.first(where: { $0.notValidBefore > now }) {
      return .certificateNotYetValid(host: host, until: day(early.notValidBefore))
    }
    if let leaf = chain.first, leaf.issuer == leaf.subject {
      return .certificateSelfSigned(host: host)
    }
    return .certificateUntrusted(host: host)
  }

  private var names: [String] {
    guard let leaf = chain.first, let names = try? leaf.extensions.subjectAlternativeNames else {
      return []
    }
    return names.compactMap { name in
      switch name {
      case .dnsName(let name): "“\(name.masked)”"
      case .ipAddress(let address): HostAddress.text(address.bytes).map { "“\($0)”" }
      default: nil
      }
    }
  }

  private func day(_ date: Date) -> String {
    date.formatted(.iso8601.year().month().day())
  }
}
