import EssentialFoundation
import MartletCore
import NIOCore
import NIOPosix

/// Finds the addresses of a host with the system's resolver, on a thread that may block.
struct Resolver: Sendable {
  /// The threads, asked for with the first look-up: who dials addresses alone starts none.
  var threads: @Sendable () -> NIOThreadPool = { Self.ownThreads }
  /// Asks for a host's addresses, and blocks until they are known.
  var lookUp: @Sendable (_ host: String, _ port: Int) throws -> [SocketAddress] = Self.systemLookUp

  /// The addresses of `host`, in the order in which to try them.
  ///
  /// Cancelling returns at once. A look-up that is under way ends on its own thread, unheard; one that
  /// waits for a thread is not made.
  ///
  /// - Throws: `MartletError` with code `.unknownHost`; `CancellationError`.
  func addresses(of host: String, port: Int) async throws -> [SocketAddress] {
    let lookup = Lookup()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        guard lookup.begin(continuation) else { return }
        threads().submit { state in
          guard case .active = state else { return lookup.finish(.failure(CancellationError())) }
          guard lookup.isAwaited else { return }
          lookup.finish(Result { try lookUp(host, port) })
        }
      }
    } onCancel: {
      lookup.finish(.failure(CancellationError()))
    }
  }

  /// Threads of its own, so that a name server that does not answer holds up no file; and many, so that it
  /// holds up few other hosts.
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
