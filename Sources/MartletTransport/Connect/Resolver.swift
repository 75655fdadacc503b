import EssentialFoundation
package import MartletCore
import NIOCore
import NIOPosix
import SystemPackage

/// Finds the addresses of a host with the system's resolver, on a thread that may block.
struct Resolver: Sendable {
  /// The threads for look-ups. They start with the first look-up, so connecting to IP addresses starts none.
  var threads: @Sendable () -> NIOThreadPool = { Self.ownThreads }
  /// Looks up a host's addresses, and blocks until they are known.
  var lookUp: @Sendable (_ host: String, _ port: Int) throws -> [SocketAddress] = Self.systemLookUp

  /// The addresses of `host`, in the order in which to try them.
  ///
  /// When the task is cancelled, the call ends at once. A look-up that is under way ends on its own thread, and its
  /// result is ignored. A look-up that waits for a thread is not made.
  ///
  /// - Throws: `MartletError` with code `.unknownHost`; `CancellationError`.
  func addresses(of host: String, port: Int) async throws -> [SocketAddress] {
    let lookup = Lookup()
    let threads = await runOnGlobalExecutor { await startedThreads() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        guard lookup.begin(continuation) else { return }
        threads.submit { state in
          guard case .active = state else { return lookup.finish(.failure(CancellationError())) }
          guard lookup.isAwaited else { return }
          lookup.finish(Result { try lookUp(host, port) })
        }
      }
    } onCancel: {
      lookup.finish(.failure(CancellationError()))
    }
  }

  /// The threads. The first call waits until they have started, which no event loop may do.
  @concurrent
  private func startedThreads() async -> NIOThreadPool { threads() }

  /// Threads for look-ups only, so that a name server that does not answer delays no file access.
  ///
  /// There are 16, so that such a server delays few other look-ups.
  private static let ownThreads: NIOThreadPool = {
    let threads = NIOThreadPool(numberOfThreads: 16)
    threads.start()
    return threads
  }()

  @Sendable private static func systemLookUp(_ host: String, port: Int) throws -> [SocketAddress] {
    var hints = addrinfo()
    hints.ai_socktype = streamSocketType
    var list: UnsafeMutablePointer<addrinfo>?
    let status = getaddrinfo(host, String(port), &hints, &list)
    guard status == 0, let first = list else {
      throw shortage ?? MartletError.unknownHost(host, underlying: ResolverFailure(status: status))
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

  /// The error of a process without free file descriptors. Its look-ups fail as if there were no such host.
  private static var shortage: IOError? {
    do {
      try FileDescriptor.open("/dev/null", .readOnly, options: .closeOnExec).close()
    } catch Errno.tooManyOpenFiles {
      return IOError(errnoCode: Errno.tooManyOpenFiles.rawValue, reason: "getaddrinfo")
    } catch {}
    return nil
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

/// One look-up and its waiting caller, which receives the result or the cancellation, whichever is first.
final class Lookup: Sendable {
  private enum State {
    case new
    case waiting(CheckedContinuation<[SocketAddress], any Error>)
    case done(Result<[SocketAddress], any Error>)
  }

  private let state = Locked(State.new)

  /// Stores the continuation; returns whether the look-up is still to be made. If it is over, the continuation is
  /// resumed at once.
  func begin(_ continuation: CheckedContinuation<[SocketAddress], any Error>) -> Bool {
    let early: Result<[SocketAddress], any Error>? = state.withLock { state in
      if case .done(let result) = state { return result }
      state = .waiting(continuation)
      return nil
    }
    early.map { continuation.resume(with: $0) }
    return early == nil
  }

  /// Whether a caller still waits for the result.
  var isAwaited: Bool {
    if case .waiting = state.current { true } else { false }
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

/// The order in which addresses are tried.
enum AddressOrder {
  /// Alternates the address families, beginning with that of the first address (RFC 8305 §4).
  static func interleaved(_ addresses: [SocketAddress]) -> [SocketAddress] {
    guard let first = addresses.first else { return [] }
    let same = addresses.filter { $0.protocol == first.protocol }
    let other = addresses.filter { $0.protocol != first.protocol }
    let pairs = zip(same, other).flatMap { [$0, $1] }
    return pairs + same.dropFirst(other.count) + other.dropFirst(same.count)
  }
}

/// Looks up hosts with the system's resolver, without connecting to them.
package enum HostLookup {
  /// The addresses of a host, in the order in which to try them; for an IP address, that address.
  ///
  /// - Throws: `MartletError` with code `.unknownHost`; `CancellationError`.
  package static func addresses(of host: String) async throws -> [IPAddress] {
    try await Resolver().addresses(of: host, port: 0).compactMap { address in
      address.ipAddress.flatMap { IPAddress($0, port: 0) }
    }
  }
}
