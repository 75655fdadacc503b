import EssentialFoundation
import Foundation
import HTTPTypes
import Martlet
import MartletTesting
import NIOCore

/// A server that requires authentication, and records all requests.
struct GuardedServer {
  /// A request as it arrived.
  struct Visit: Sendable {
    var method: HTTPRequest.Method
    var target: String
    var field: String?
    var body: String
  }

  let server: LoopbackServer
  private let log: Locked<[Visit]>

  /// - Parameters:
  ///   - challenges: The challenges to requests that are not accepted.
  ///   - isRight: Whether an `Authorization` field is accepted.
  /// - Throws: What the system says when it cannot be started.
  init(
    _ challenges: String..., isRight: @escaping @Sendable (String) -> Bool
  ) async throws {
    let log = Locked<[Visit]>([])
    self.log = log
    server = try await .start(
      router: ServerRouter([
        .any("/*") { request in
          let visit = Visit(
            method: request.method, target: request.target,
            field: request.headers[.authorization], body: String(buffer: request.body))
          log.withLock { $0.append(visit) }
          if let field = visit.field, isRight(field) { return .text("welcome") }
          var refusal = ServerResponse.text("who are you?", status: .unauthorized)
          refusal.headers[values: .wwwAuthenticate] = challenges
          return refusal
        }
      ]))
  }

  /// The requests, in the order of their arrival.
  var visits: [Visit] { log.current }
  /// The `Authorization` field of each request.
  var fields: [String?] { log.current.map(\.field) }

  func url(_ path: String = "/") -> URL { server.url(path) }
}

extension Credential {
  /// A credential for tests.
  static let ada = Credential.password(user: "ada", password: "secret")
  /// The `Authorization` field of Basic for it.
  static let adaInBasic = "Basic YWRhOnNlY3JldA=="
}

extension URLSessionManager {
  /// A session with the credentials of a store.
  convenience init(knowing store: CredentialStore) {
    var configuration = SessionConfiguration()
    configuration.authentication.credentials = store
    self.init(configuration: configuration)
  }
}

extension URL {
  /// The URL with a user's name and password in it.
  func naming(_ user: String, _ password: String) -> URL {
    var parts = URLComponents(url: self, resolvingAgainstBaseURL: true)
    parts?.user = user
    parts?.password = password
    return parts?.url ?? self
  }
}
