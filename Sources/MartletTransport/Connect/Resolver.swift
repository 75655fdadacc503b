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
