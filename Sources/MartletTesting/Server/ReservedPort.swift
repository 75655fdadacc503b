import EssentialFoundation
public import MartletCore

/// A TCP port on `127.0.0.1` where no server answers, reserved until this object is released.
public final class ReservedPort: Sendable {
  /// The port.
  public let port: Int

  private let sockets: [Int32]

  private init(port: Int, sockets: [Int32]) {
    self.port = port
    self.sockets = sockets
  }

  deinit {
    for socket in sockets { close(socket) }
  }

  /// A port that refuses connections: it is bound, but no socket listens on it.
  ///
  /// - Throws: `MartletError` with code `.connectionFailed` when the system has no free port.
  public static func refusing() throws(MartletError) -> ReservedPort {
    let (socket, port) = try bound()
    return ReservedPort(port: port, sockets: [socket])
  }

  /// A port where connections are established, but no byte is ever read or sent.
  ///
  /// - Throws: `MartletError` with code `.connectionFailed` when the system has no free port.
  public static func silent() throws(MartletError) -> ReservedPort {
    let (socket, port) = try bound()
    guard listen(socket, 128) == 0 else { throw failure(closing: socket) }
    return ReservedPort(port: port, sockets: [socket])
  }

  /// A port where attempts to connect hang: its queue is full, and the Linux kernel then drops further attempts.
  ///
  /// - Throws: `MartletError` with code `.connectionFailed` when the system has no free port.
  public static func hanging() throws(MartletError) -> ReservedPort {
    let (socket, port) = try bound()
    guard listen(socket, 0) == 0 else { throw failure(closing: socket) }
    var sockets = [socket]
    // A queue of length 0 holds one connection; the second connection already waits.
    for _ in 0..<2 {
      let client = stream()
      sockets.append(client)
      _ = fcntl(client, F_SETFL, O_NONBLOCK)
      var address = loopback(port: UInt16(port).bigEndian)
      _ = withSocketAddress(&address) { connect(client, $0, $1) }
    }
    return ReservedPort(port: port, sockets: sockets)
  }

  private static func bound() throws(MartletError) -> (socket: Int32, port: Int) {
    let socket = stream()
    var address = loopback(port: 0)
    guard socket >= 0, withSocketAddress(&address, { bind(socket, $0, $1) }) == 0 else {
      throw failure(closing: socket)
    }
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let found = withSocketAddress(&address) { pointer, _ in
      getsockname(socket, UnsafeMutablePointer(mutating: pointer), &size)
    }
    guard found == 0 else { throw failure(closing: socket) }
    return (socket, Int(UInt16(bigEndian: address.sin_port)))
  }

  private static func failure(closing socket: Int32) -> MartletError {
    let reason = String(cString: strerror(errno))
    if socket >= 0 { close(socket) }
    return MartletError(.connectionFailed, "No port could be reserved: \(reason).")
  }

  private static func stream() -> Int32 {
    #if canImport(Darwin)
    socket(AF_INET, SOCK_STREAM, 0)
    #else
    socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
  }

  private static func loopback(port: in_port_t) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }

  private static func withSocketAddress(
    _ address: inout sockaddr_in, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}
