import Foundation
import Martlet

/// Signs in to an API, and lists its birds page by page.
///
/// Shows endpoints as values, a token that is renewed when the server refuses it, and pages.
@main
struct BirdList {
  static func main() async {
    let arguments = CommandLine.arguments
    // Other users of the machine can see the arguments of a program, so the password is not one.
    let password = ProcessInfo.processInfo.environment["BIRDS_PASSWORD"]
    guard arguments.count == 3, let url = URL(string: arguments[1]), let password else {
      fail("Usage: BIRDS_PASSWORD=… BirdList URL USER", status: 64)
    }
    do {
      try await list(url, user: arguments[2], password: password)
    } catch {
      // The server's explanation, if it has sent one (RFC 9457).
      let problem = (error as? MartletError)?.problemDetails
      fail(problem?.detail ?? error.localizedDescription)
    }
  }

  private static func list(_ url: URL, user: String, password: String) async throws {
    // The request for a token must not wait for a token, so it has a manager of its own.
    let accounts = HTTPSessionManager(baseURL: url)
    let signIn = try Endpoint.signIn(user: user, password: password)
    let first = try await accounts.send(signIn).token
    let tokens = try BearerTokenProvider(for: url, token: first) { _ in
      try await accounts.send(signIn).token
    }
    let api = HTTPSessionManager(baseURL: url) { $0.authentication.tokenProviders = [tokens] }
    print("Signed in as \(try await api.send(.user).name).")

    var count = 0
    for try await birds in api.pages("birds", parameters: ["limit": 4], as: [Bird].self) {
      for bird in birds {
        let name = bird.name.padding(toLength: 24, withPad: " ", startingAt: 0)
        print("\(name)\(bird.wingspan) cm")
      }
      count += birds.count
    }
    print("\(count) birds")
  }

  /// Prints a line to standard error, and ends the program.
  private static func fail(_ message: String, status: Int32 = 1) -> Never {
    FileHandle.standardError.write(Data("\(message)\n".utf8))
    exit(status)
  }
}
