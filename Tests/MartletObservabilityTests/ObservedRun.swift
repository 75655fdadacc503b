import MartletCore
import MartletEssentials
import MartletTesting

/// A session over real connections to a server that answers from a script.
struct ObservedRun {
  let session: URLSessionManager
  let server: ScriptedServer

  /// - Parameters:
  ///   - scripts: The answers of the server, in order.
  ///   - observers: The observers of the session.
  ///   - configure: Changes the configuration. The default changes nothing.
  /// - Throws: The error of the server's start.
  init(
    _ scripts: [Script], observers: [any SessionObserver],
    _ configure: (inout SessionConfiguration) -> Void = { _ in }
  ) async throws {
    server = try await ScriptedServer.start()
    for script in scripts { server.enqueue(script) }
    var configuration = SessionConfiguration()
    configuration.observers = observers
    configure(&configuration)
    session = URLSessionManager(configuration: configuration)
  }

  /// Ends the session and the server.
  func end() async {
    await session.shutDown()
    await server.stop()
  }
}
