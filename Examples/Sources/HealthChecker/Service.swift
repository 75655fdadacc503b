import Foundation
import Martlet

/// A service to check.
struct Service: Sendable {
  let url: URL
  let pins: Set<PublicKeyPin>

  /// The result of a check.
  struct Report: Sendable {
    var isHealthy: Bool
    var text: String
  }

  /// A service from a line of a list: its URL, and the pins of its keys.
  init(line: some StringProtocol) throws {
    let words = line.split(separator: " ").map { String($0) }
    url = try URL(escaping: words.first ?? "")
    pins = Set(try words.dropFirst().map { try PublicKeyPin($0) })
  }

  /// Sends a request to the service. Without a file of root certificates, those of the system are used.
  func check(roots: URL?) async -> Report {
    // Pins need a manager whose base URL has the scheme https.
    let api = HTTPSessionManager(baseURL: url) {
      if !pins.isEmpty { $0.securityPolicy = SecurityPolicy(pins: pins) }
      if let roots { $0.tls.roots = .file(roots) }
      $0.timeouts = Timeouts(.seconds(5), total: .seconds(10))
    }
    do {
      let response = try await api.get(url.absoluteString)
      let time = response.metrics.totalDuration.formatted(
        .units(allowed: [.milliseconds], width: .narrow))
      let version = response.metrics.connection?.tlsVersion ?? "no TLS"
      return Report(
        isHealthy: true, text: "healthy: \(url): \(response.status.code), \(time), \(version)")
    } catch {
      return Report(isHealthy: false, text: text(of: error))
    }
  }

  /// The kind of a failure, and the reasons for it, of which a certificate may have several.
  private func text(of error: any Error) -> String {
    guard let error = error as? MartletError else {
      return "failed: \(url): \(error.localizedDescription)"
    }
    let kind =
      switch error.code {
      case .certificateNotPinned: "wrong pin"
      case .unacceptableStatusCode: "unhealthy"
      default: error.trust == nil ? "failed" : "bad certificate"
      }
    let others = error.trust?.problems.dropFirst().map { $0.error(host: url.host() ?? "").message }
    return (["\(kind): \(url): \(error.message)"] + (others ?? [])).joined(separator: "\n  also: ")
  }
}
