import NIOCore

/// The request of a client to a proxy and the replies to it, by CONNECT or SOCKS 5.
struct TunnelRequest {
  enum Step {
    case say(ByteBuffer)
    /// Connect, and then say this.
    case connect(host: String, port: Int, ByteBuffer)
  }

  private var pending = ByteBuffer()
  private var hasGreeted = false

  mutating func receive(_ bytes: ByteBuffer) -> [Step] {
    pending.writeImmutableBuffer(bytes)
    guard pending.getInteger(at: pending.readerIndex, as: UInt8.self) == 5 else {
      return connect.map { [$0] } ?? []
    }
    var steps: [Step] = []
    if !hasGreeted, let count = pending.getInteger(at: pending.readerIndex + 1, as: UInt8.self),
      pending.readableBytes >= 2 + Int(count)
    {
      pending.moveReaderIndex(forwardBy: 2 + Int(count))
      hasGreeted = true
      steps.append(.say(ByteBuffer(bytes: [5, 0])))
    }
    if hasGreeted, let step = socks { steps.append(step) }
    return steps
  }

  private var connect: Step? {
    let text = String(buffer: pending)
    guard text.hasSuffix("\r\n\r\n"), text.hasPrefix("CONNECT ") else { return nil }
    let target = text.dropFirst(8).prefix { $0 != " " }
    let colon = target.lastIndex(of: ":") ?? target.endIndex
    return .connect(
      host: String(target[..<colon]), port: Int(target[colon...].dropFirst()) ?? 0,
      ByteBuffer(string: "HTTP/1.1 200 Connection established\r\nContent-Length: 99\r\n\r\n"))
  }

  /// A name, or an IPv4 address.
  private var socks: Step? {
    var pending = pending
    guard let head = pending.readBytes(length: 4) else { return nil }
    let count = head[3] == 1 ? 4 : Int(pending.readInteger(as: UInt8.self) ?? 0)
    guard let host = pending.readBytes(length: count),
      let port = pending.readInteger(as: UInt16.self)
    else { return nil }
    let name =
      head[3] == 1
      ? host.map(String.init).joined(separator: ".") : String(decoding: host, as: UTF8.self)
    return .connect(
      host: name, port: Int(port), ByteBuffer(bytes: [5, 0, 0, 1, 0, 0, 0, 0, 0, 0]))
  }
}
