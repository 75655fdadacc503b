#if os(Linux)
import Foundation

/// A file descriptor, closed when it is released.
package final class Descriptor: Sendable {
  package let number: Int32

  /// - Parameter number: What a system call returned; `nil` comes of a failure.
  package init?(_ number: Int32) {
    guard number >= 0 else { return nil }
    self.number = number
  }

  deinit {
    close(number)
  }

  /// Two ends of a line: what hangs up one end is readable at the other.
  package static func line() -> (Descriptor, Descriptor)? {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0, let one = Descriptor(ends[0]),
      let other = Descriptor(ends[1])
    else { return nil }
    return (one, other)
  }

  package func hangUp() {
    shutdown(number, Int32(SHUT_RDWR))
  }

  /// Waits until one of several can be read or has failed.
  ///
  /// - Parameters:
  ///   - descriptors: What to wait for.
  ///   - limit: How long to wait at most, in milliseconds; −1 for as long as it takes.
  /// - Returns: Which can be read, in the order of `descriptors`.
  static func wait(for descriptors: [Descriptor], limit: Int32) -> [Bool] {
    var places = descriptors.map { pollfd(fd: $0.number, events: Int16(POLLIN), revents: 0) }
    while poll(&places, nfds_t(places.count), limit) < 0, errno == EINTR {}
    return places.map { $0.revents != 0 }
  }
}
#endif
