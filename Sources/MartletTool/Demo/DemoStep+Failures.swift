import MartletEssentials
import MartletTesting
import MartletTransport

/// Steps with a trusted server, an untrusted server, and a slow one.
extension DemoStep {
  static let trustedServer = DemoStep(title: "TLS, trusted") { environment in
    let api = HTTPSessionManager(baseURL: environment.secure.url("/")) {
      $0.tls.roots = .certificates([environment.root])
    }
    let response = try await api.get("get")
    try check(response.status == .ok, "status 200")
    let version = response.metrics.connection?.tlsVersion
    return "\(version ?? "TLS") with the demo's own root certificate"
  }

  static let refusedCertificate = DemoStep(title: "TLS, refused") { environment in
    try await failure(.certificateUntrusted) {
      try await HTTPSessionManager(baseURL: environment.secure.url("/")).get("get")
    }
  }

  static let timeOut = DemoStep(title: "time-out") { environment in
    let api = HTTPSessionManager(baseURL: environment.plain.url("/")) {
      $0.timeouts.idle = .milliseconds(300)
    }
    return try await failure(.timedOut) { try await api.get("delay/10") }
  }

  /// The sentence of the error with which a request must fail.
  private static func failure(
    _ code: MartletError.Code, _ request: () async throws -> Response
  ) async throws -> String {
    do {
      _ = try await request()
    } catch let error as MartletError where error.code == code {
      return error.message
    }
    throw ToolFailure("Expected the request to fail.")
  }
}
