public import MartletEssentials
public import ServiceLifecycle

/// A manager as a service of a server: it is shut down with the server, and its requests end before.
///
///     let group = ServiceGroup(
///       services: [ManagerService(api), server], gracefulShutdownSignals: [.sigterm], logger: logger)
///     try await group.run()
///
/// A group shuts its services down in reverse order: list the manager before the services that use it.
public struct ManagerService: Service {
  private let session: URLSessionManager

  /// The service of a manager.
  public init(_ manager: HTTPSessionManager) {
    session = manager.session
  }

  /// The service of a session.
  public init(_ session: URLSessionManager) {
    self.session = session
  }

  /// Waits until the server shuts down, then refuses new requests, waits until those under way are over, and closes the
  /// connections. When the task of the service is cancelled, the requests are cancelled.
  public func run() async {
    // It throws when the task is cancelled. Then the shutdown cancels the requests.
    try? await gracefulShutdown()
    await session.shutDown()
  }
}
