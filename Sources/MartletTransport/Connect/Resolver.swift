import Foundation
import MartletCore
import NIOCore
import NIOPosix

/// Finds the addresses of a host with the system's resolver, on a thread that may block.
struct Resolver: Sendable {
  /// The addresses of `host`, in the order in which to try them.
  ///
  /// Cancelling returns at once; the look-up itself ends on its own thread, unheard.
  ///
  /// - Throws: `MartletError` with code `.unknownHost`; `CancellationError`.
  func addresses(of host: String, port: Int) async throws -> [SocketAddress] {
    let lookup = Lookup()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        guard lookup.begin(continuation) else { return }
        Self.threads.submit { state in
          guard case .active = state else { return lookup.finish(.failure(CancellationError())) }
          lookup.finish(Result { try Self.lookUp(host, port: port) })
        }
      }
    } onCancel: {
      lookup.finish(.failure(CancellationError()))
    }
  }

  /// Threads of its own, so that a name server that does not answer holds up no file.
  private static let threads: NIOThreadPool = {
    let threads = NIOThreadPool(numberOfThreads: 4)
    threads.start()
    return threads
  }()

  private static func lookUp(_ host: String, port: Int) throws -> [SocketAddress] {
    var hints = addrinfo()
    hints.ai_socktype = streamSocketType
    var list: UnsafeMutablePointer<addrinfo>?
    let status = getaddrinfo(host, String(port), &hints, &list)
    guard status == 0, let first = list else {
      throw MartletError.unknownHost(host, underlying: ResolverFailure(status: status))
    }
    defer { freeaddrinfo(first) }
    let found = sequence(first: first) { $0.pointee.ai_next }.compactMap {
      SocketAddress($0.pointee)
    }
    guard !found.isEmpty else {
      throw MartletError.unknownHost(host, underlying: ResolverFailure(status: EAI_NONAME))
    }
    return AddressOrder.interleaved(found)
  }
}

/// What the system's resolver said.
struct ResolverFailure: Error, CustomStringConvertible {
  let status: CInt

  var description: String {
    String(cString: gai_strerror(status))
  }
}

/// The order in which addresses are tried.
enum AddressOrder {
  /// Alternates the families, beginning with the one that the resolver put first (RFC 8305 §4).
  static func interleaved(_ addresses: [SocketAddress]) -> [SocketAddress] {
    guard let first = addresses.first else { return [] }
    let same = addresses.filter { $0.protocol == first.protocol }
    let other = addresses.filter { $0.protocol != first.protocol }
    let pairs = zip(same, other).flatMap { [$0, $1] }
    return pairs + same.dropFirst(other.count) + other.dropFirst(same.count)
  }
}

extension SocketAddress {
  fileprivate init?(_ info: addrinfo) {
    guard let address = info.ai_addr else { return nil }
    switch info.ai_family {
    case AF_INET:
      self = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        SocketAddress($0.pointee)
      }
    case AF_INET6:
      self = address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
        SocketAddress($0.pointee)
      }
    default: return nil
    }
  }
}

/// One look-up and whoever waits for it: the first answer, or the cancellation, counts.
private final class Lookup: Sendable {
  private enum State {
    case new
    case waiting(CheckedContinuation<[SocketAddress], any Error>)
    case done(Result<[SocketAddress], any Error>)
  }

  private let state = Locked(State.new)

  /// Whether there is anything left to wait for.
  func begin(_ continuation: CheckedContinuation<[SocketAddress], any Error>) -> Bool {
    let early: Result<[SocketAddress], any Error>? = state.withLock { state in
      if case .done(let result) = state { return result }
      state = .waiting(continuation)
      return nil
    }
    early.map { continuation.resume(with: $0) }
    return early == nil
  }

  func finish(_ result: Result<[SocketAddress], any Error>) {
    let waiting: CheckedContinuation<[SocketAddress], any Error>? = state.withLock { state in
      defer { if case .done = state {} else { state = .done(result) } }
      guard case .waiting(let continuation) = state else { return nil }
      return continuation
    }
    waiting?.resume(with: result)
  }
}
