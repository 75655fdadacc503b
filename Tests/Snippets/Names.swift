// The names that the snippets of README and the articles take for granted: those of the reader's own program.
// `scripts/check-snippets` type-checks the snippets with these. None of this is ever run.

import Crypto
import Foundation
import Martlet
import ServiceLifecycle

func given<Value>() -> Value { preconditionFailure("This is type-checked, and not run.") }

// MARK: Places

var url: URL { given() }
var mirror: URL { given() }
var folder: URL { given() }
var cache: URL { given() }
var file: URL { given() }
var photo: URL { given() }
var certificates: URL { given() }

// MARK: Credentials

var password: String { given() }
var token: String? { given() }
var secret: String { given() }
var credentials: [String: String] { given() }
var identity: ClientIdentity { given() }
var pin: PublicKeyPin { given() }
var backupPin: PublicKeyPin { given() }

func signIn() async throws -> String { given() }
func askUser(_ space: ProtectionSpace) async -> String? { given() }

// MARK: Sessions

var api: HTTPSessionManager { given() }
var session: URLSessionManager { given() }
var configuration: SessionConfiguration {
  get { given() }
  set {}
}
var jar: CookieJar { given() }
var proxy: Proxy { given() }
var first: Proxy { given() }
var second: Proxy { given() }
var internalHosts: HostList { given() }
var indicator: NetworkActivityIndicatorManager { given() }

// MARK: Requests

var request: Request { given() }
var task: SessionTask { given() }

// MARK: Views

@MainActor
final class Spinner {
  func start() {}
  func stop() {}
}

@MainActor
final class Bar {
  var progress = 0.0
}

var spinner: Spinner { given() }
var bar: Bar { given() }

// MARK: Values

var query: String { given() }
var page: Int { given() }
var tags: [String] { given() }
var lastVisit: Date { given() }

struct User: Codable, Sendable {
  var name: String
}

struct NewUser: Encodable, Sendable {
  var name: String
}

struct Page: Decodable, Sendable {}
struct Answer: Decodable, Sendable {}

func retryLater(_ phase: MartletError.Phase?) {}
func explain(_ status: HTTPResponse.Status?, _ object: (any Sendable)?) {}

// MARK: Interceptors

struct TimingInterceptor: Interceptor {
  var log: @Sendable (String) -> Void
}

struct SignatureInterceptor: Interceptor {
  var key: SymmetricKey
}

var key: SymmetricKey { given() }

// MARK: README and the articles on requests

var apiKey: String { given() }

// MARK: Settings

var texts: [String: String] { given() }
var acceptsText: Bool { given() }
var server: any Service { given() }
func checksum(of file: URL) throws -> String { given() }
struct IncompleteArchive: Error {
  var missing: [String]
}
