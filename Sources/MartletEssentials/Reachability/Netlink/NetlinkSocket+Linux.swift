#if os(Linux)
import EssentialFoundation

/// A socket to the kernel's tables of links, addresses and routes (rtnetlink(7)).
struct NetlinkSocket: Sendable {
  /// The groups RTMGRP_LINK, RTMGRP_IPV4_IFADDR, RTMGRP_IPV4_ROUTE, RTMGRP_IPV6_IFADDR and RTMGRP_IPV6_ROUTE.
  static let changes: UInt32 = 0x1 | 0x10 | 0x40 | 0x100 | 0x400

  /// The size of the receive buffer in bytes, larger than any datagram of the kernel.
  private static let receiveBufferSize = 64 << 10

  let descriptor: Descriptor

  /// - Parameter groups: The groups of changes that the kernel reports. The default is none.
  init?(groups: UInt32 = 0) {
    let type = Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    // NETLINK_ROUTE is 0.
    guard let descriptor = Descriptor(socket(AF_NETLINK, type, 0)) else { return nil }
    self.descriptor = descriptor
    // The kernel answers at once: a longer wait is useless.
    var receiveTimeout = timeval(tv_sec: 1, tv_usec: 0)
    setsockopt(
      descriptor.number, SOL_SOCKET, SO_RCVTIMEO, &receiveTimeout,
      socklen_t(MemoryLayout<timeval>.size))
    guard listen(to: groups) else { return nil }
  }

  /// Binds the socket to `struct sockaddr_nl`, which the C library's module does not have.
  private func listen(to groups: UInt32) -> Bool {
    var address: [UInt8] = []
    address.append(number: UInt16(AF_NETLINK))
    address.append(number: UInt16(0))
    address.append(number: UInt32(0))
    address.append(number: groups)
    return address.withUnsafeBytes { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) {
        bind(descriptor.number, $0.baseAddress, socklen_t(bytes.count)) == 0
      }
    }
  }

  /// Reads and discards all pending messages.
  ///
  /// A lost message (`ENOBUFS`) is treated like a received message: both mean that something has changed.
  ///
  /// - Returns: Whether more messages may arrive.
  func drain() -> Bool {
    while true {
      switch receive(waiting: false) {
      case .success: continue
      case .failure(let failure) where failure.number == ENOBUFS: continue
      case .failure(let failure): return failure.number == EAGAIN
      }
    }
  }

  /// Reads a whole table; returns `nil` on failure. Each request on a socket must have its own sequence number.
  func dump(_ table: NetlinkTable, sequence: UInt32) -> (NetlinkDump, NetlinkDump.End)? {
    let request = table.request(sequence: sequence)
    guard send(descriptor.number, request, request.count, 0) == request.count else { return nil }
    var dump = NetlinkDump(sequence: sequence)
    while let bytes = try? receive(waiting: true).get() {
      if let end = dump.add(bytes) { return (dump, end) }
    }
    return nil
  }

  /// The reason why nothing could be read (`errno`).
  private struct Failure: Error {
    let number: Int32
  }

  /// Receives one datagram.
  private func receive(waiting: Bool) -> Result<[UInt8], Failure> {
    var (count, number) = (-1, Int32(0))
    let bytes = [UInt8](unsafeUninitializedCapacity: Self.receiveBufferSize) { room, used in
      repeat {
        count = recv(
          descriptor.number, room.baseAddress, room.count, waiting ? 0 : Int32(MSG_DONTWAIT))
        number = errno
      } while count < 0 && number == EINTR
      used = max(count, 0)
    }
    return count < 0 ? .failure(Failure(number: number)) : .success(bytes)
  }
}
#endif

#if os(Linux)
import EssentialFoundation

/// A file descriptor, which is closed when this object is released.
package final class Descriptor: Sendable {
  package let number: Int32

  /// - Parameter number: The result of a system call; the initializer returns `nil` if the call has failed.
  package init?(_ number: Int32) {
    guard number >= 0 else { return nil }
    self.number = number
  }

  deinit {
    close(number)
  }

  /// Makes a pair of connected sockets: when one is shut down, the other becomes readable.
  package static func makePair() -> (Descriptor, Descriptor)? {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0, let one = Descriptor(ends[0]),
      let other = Descriptor(ends[1])
    else { return nil }
    return (one, other)
  }

  package func shutDown() {
    shutdown(number, Int32(SHUT_RDWR))
  }

  /// Waits until one of several descriptors can be read or has failed.
  ///
  /// - Parameters:
  ///   - descriptors: The descriptors.
  ///   - limit: The longest time to wait, in milliseconds; −1 for no limit.
  /// - Returns: Whether each can be read or has failed, in the order of `descriptors`.
  static func wait(for descriptors: [Descriptor], limit: Int32) -> [Bool] {
    var entries = descriptors.map { pollfd(fd: $0.number, events: Int16(POLLIN), revents: 0) }
    while poll(&entries, nfds_t(entries.count), limit) < 0, errno == EINTR {}
    return entries.map { $0.revents != 0 }
  }
}
#endif
