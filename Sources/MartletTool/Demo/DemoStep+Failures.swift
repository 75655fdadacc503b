import MartletEssentials
import MartletTesting
import MartletTransport

/// Servers that are slow, or not who they should be.
extension DemoStep {
  static let trustedServer = DemoStep(title: "TLS, trusted") { environment in
    let api = HTTPSessionManager(baseURL: environment.secure.url("/")) {
      $0.tls.roots = .certificates([environment.root])
    }
    let response = try await api.get("get")
    try check(response.status == .ok, "an answer")
    let version = response.metrics.connection?.tlsVersion
    return "\(version ?? "TLS") with a root of our own"
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
    return try await failure(.timedOut) { try await api.get("delay/5") }
  }

  /// The sentence of an error that has to come.
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
