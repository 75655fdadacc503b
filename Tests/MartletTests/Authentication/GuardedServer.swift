import EssentialFoundation
import Foundation
import HTTPTypes
import Martlet
import MartletTesting
import NIOCore

/// A server that lets in whoever says the right thing, and notes what everybody said.
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
  ///   - challenges: What strangers are told.
  ///   - isRight: Who is let in.
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

  /// Who came, in order.
  var visits: [Visit] { log.current }
  /// What everybody said.
  var fields: [String?] { log.current.map(\.field) }

  func url(_ path: String = "/") -> URL { server.url(path) }
}

extension Credential {
  /// Somebody to be let in.
  static let ada = Credential.password(user: "ada", password: "secret")
  /// What Basic says for that.
  static let adaInBasic = "Basic YWRhOnNlY3JldA=="
}

extension URLSessionManager {
  /// A session that knows whom a store knows.
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
