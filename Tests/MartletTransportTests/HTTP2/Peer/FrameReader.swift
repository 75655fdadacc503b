import MartletTesting
import NIOCore
import NIOHPACK

/// What a peer has got over one connection.
struct FrameLog: Sendable {
  /// A request, as far as it has come.
  struct Request: Sendable {
    let stream: UInt32
    let path: String
    let fields: [String]
    var body = ByteBuffer()
    var isComplete: Bool
  }

  /// The frames that have not been taken yet, in order.
  var frames: [RawFrame] = []
  /// How many bytes of DATA have come on each stream, padding included (§6.9.1).
  var data: [UInt32: Int] = [:]
  /// How much window each stream has got, and the connection as stream 0.
  var credit: [UInt32: Int] = [:]
  /// How many bytes of DATA the peer has sent.
  var sent = 0
  /// All requests, whether their frames have been taken or not.
  var requests: [Request] = []
  var isPrefaced = false
  var isClosed = false

  mutating func add(_ frame: RawFrame) {
    frames.append(frame)
    switch frame.kind {
    case .headers:
      guard let path = frame[":path"] else { break }
      let fields = frame.fields.map { "\($0.name): \($0.value)" }
      requests.append(
        Request(stream: frame.stream, path: path, fields: fields, isComplete: frame.isEnd))
    case .data:
      data[frame.stream, default: 0] += frame.payload.readableBytes
      guard let index = requests.lastIndex(where: { $0.stream == frame.stream }) else { break }
      requests[index].body.writeImmutableBuffer(frame.payload)
      requests[index].isComplete = frame.isEnd
    case .windowUpdate: credit[frame.stream, default: 0] += Int(frame.number ?? 0)
    default: break
    }
  }
}

/// Reads the client's preface and its frames, without help of the library that wrote them.
final class FrameReader: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private static let preface = ByteBuffer(string: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")

  private let log: AwaitableValue<FrameLog>
  private var buffer = ByteBuffer()
  private var isPrefaced = false
  private var flight = 0
  private var decoder = HPACKDecoder(allocator: ByteBufferAllocator())
  /// A header block that CONTINUATION frames go on with.
  private var open: RawFrame?

  init(_ log: AwaitableValue<FrameLog>) {
    self.log = log
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    buffer.writeBuffer(&bytes)
    flight += 1
    guard isPrefaced || readPreface() else { return }
    while let frame = readFrame() { receive(frame) }
    // The frames share what they were read from; the next bytes begin a buffer of their own.
    var rest = ByteBuffer()
    rest.writeBuffer(&buffer)
    buffer = rest
  }

  func channelInactive(context: ChannelHandlerContext) {
    log.update { $0.isClosed = true }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  private func readPreface() -> Bool {
    guard buffer.readableBytes >= Self.preface.readableBytes else { return false }
    isPrefaced = buffer.readSlice(length: Self.preface.readableBytes) == Self.preface
    log.update { [isPrefaced] in $0.isPrefaced = isPrefaced }
    return isPrefaced
  }

  private func readFrame() -> RawFrame? {
    var rest = buffer
    guard let (high, low) = rest.readMultipleIntegers(as: (UInt8, UInt16).self),
      let (number, flags, stream) = rest.readMultipleIntegers(as: (UInt8, UInt8, UInt32).self),
      let payload = rest.readSlice(length: Int(high) << 16 | Int(low)),
      let kind = RawFrame.Kind(rawValue: number)
    else { return nil }
    buffer = rest
    return RawFrame(
      kind: kind, flags: flags, stream: stream, payload: payload, flight: flight)
  }

  private func receive(_ frame: RawFrame) {
    switch frame.kind {
    case .headers: open = frame
    case .continuation:
      open?.payload.writeImmutableBuffer(frame.payload)
      open?.flags |= frame.flags
    default: return log.update { $0.add(frame) }
    }
    guard var whole = open, whole.flags & RawFrame.endHeaders != 0 else { return }
    open = nil
    var block = whole.payload
    let fields = try? decoder.decodeHeaders(from: &block)
    whole.fields = fields?.map { ($0.name, $0.value) } ?? []
    log.update { [whole] in $0.add(whole) }
  }
}
