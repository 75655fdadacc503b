import MartletTransport
import NIOPosix

extension HTTPTransportConfiguration {
  /// A configuration with one event loop: for tests that look into the only pool of an origin, or count connections of
  /// HTTP/2, which are opened on other event loops while one is busy.
  static var oneLoop: HTTPTransportConfiguration {
    var configuration = HTTPTransportConfiguration()
    configuration.eventLoopCount = 1
    return configuration
  }

  /// A configuration with up to four event loops, however many cores the processor has.
  ///
  /// - Parameters:
  ///   - count: The number of loops.
  ///   - group: The group of the loops. The default is one that all tests share; a test that blocks a loop has its own.
  /// - Returns: The configuration.
  static func loops(
    _ count: Int, of group: MultiThreadedEventLoopGroup = fourLoops
  ) -> HTTPTransportConfiguration {
    var configuration = HTTPTransportConfiguration()
    configuration.eventLoopGroup = group
    configuration.eventLoopCount = count
    return configuration
  }
}

let fourLoops = MultiThreadedEventLoopGroup(numberOfThreads: 4)
