import MartletTesting

@testable import Martlet
@testable import MartletEssentials

/// A session whose requests a closure answers.
///
/// - Parameters:
///   - clock: The time. The default is a new virtual clock.
///   - configure: Changes the configuration.
///   - answer: Answers the requests.
/// - Returns: The session.
func resilientSession(
  _ clock: VirtualClock = VirtualClock(), _ configure: (inout SessionConfiguration) -> Void,
  _ answer: @escaping InProcessTransport.Handler
) -> URLSessionManager {
  var configuration = SessionConfiguration()
  configuration.transport = InProcessTransport(answer)
  configuration.resilience.clock = ResilienceClock(clock)
  configure(&configuration)
  return URLSessionManager(configuration: configuration)
}
