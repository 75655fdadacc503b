import EssentialFoundation
import MartletCore
import MartletTransport
import NIOCore

extension MultipartFormData {
  /// Returns the form as the body of a request, and the content type that names its boundary.
  ///
  /// Each call chooses a new boundary, which does not occur in any part that is in memory. The length of the body is
  /// known when the lengths of all parts are known.
  public func encoded() -> (body: RequestBody, contentType: String) {
    var generator = SystemRandomNumberGenerator()
    return encoded(using: &generator)
  }

  func encoded(using generator: inout some RandomNumberGenerator)
    -> (body: RequestBody, contentType: String)
  {
    let boundary = MultipartBoundary(notIn: parts.map(\.body), using: &generator)
    var content = MultipartContent()
    for (index, part) in parts.enumerated() {
      content.append(index == 0 ? boundary.opening : boundary.separator)
      content.append(part.head(nameEncoding))
      content.append(
        part.body.checked { .partLengthMismatch(part.label, announced: $0, sent: $1) })
    }
    content.append(boundary.closing)
    let body = throttle.map { content.body.paced(by: $0) } ?? content.body
    return (body, "multipart/form-data; boundary=\(boundary.text)")
  }
}

/// Several bodies in sequence.
private struct MultipartContent {
  private var pieces: [RequestBody] = []
  /// Small bodies are copied into this buffer, so that a form of fields is sent in one write.
  private var pending = ByteBuffer()
  private static let largestCopy = 64 << 10

  mutating func append(_ text: String) {
    pending.writeString(text)
  }

  mutating func append(_ body: RequestBody) {
    if case .bytes(let bytes) = body.source, bytes.readableBytes <= Self.largestCopy {
      pending.writeImmutableBuffer(bytes)
      guard pending.readableBytes > Self.largestCopy else { return }
      finishCopy()
    } else if !body.isEmpty {
      finishCopy()
      pieces.append(body)
    }
  }

  private mutating func finishCopy() {
    pieces.append(.bytes(pending))
    pending = ByteBuffer()
  }

  /// The whole body. It can be sent again when all its pieces can.
  var body: RequestBody {
    let pieces = pieces + [.bytes(pending)]
    guard pieces.count > 1 else { return .bytes(pending) }
    return .producer(
      length: pieces.totalLength, isReplayable: pieces.allSatisfy(\.isReplayable)
    ) { write in
      for piece in pieces { try await BodyChunks.write(piece, to: write) }
    }
  }
}

extension [RequestBody] {
  /// The sum of the lengths; `nil` when one of them is unknown, or when the sum overflows.
  fileprivate var totalLength: Int64? {
    var total: Int64 = 0
    for body in self {
      guard let length = body.length else { return nil }
      let (sum, isTooLarge) = total.addingReportingOverflow(length)
      guard !isTooLarge else { return nil }
      total = sum
    }
    return total
  }
}

/// The boundary between the parts of a form (RFC 2046 §5.1.1).
struct MultipartBoundary {
  /// `Boundary+` and 16 hexadecimal digits (REQ-M3).
  let text: String

  /// A random boundary that does not occur in the contents in memory. Files and streams are not searched: at each of
  /// their bytes, the probability that the boundary begins there by chance is less than 1 in 2⁶⁴.
  init(notIn contents: [RequestBody], using generator: inout some RandomNumberGenerator) {
    var text = Self.random(using: &generator)
    while contents.contains(where: { $0.isInMemory(holding: text) }) {
      text = Self.random(using: &generator)
    }
    self.text = text
  }

  var opening: String { "--\(text)\r\n" }
  var separator: String { "\r\n--\(text)\r\n" }
  var closing: String { "\r\n--\(text)--\r\n" }

  private static func random(using generator: inout some RandomNumberGenerator) -> String {
    let digits = String(generator.next() as UInt64, radix: 16, uppercase: true)
    return "Boundary+" + String(repeating: "0", count: 16 - digits.count) + digits
  }
}

extension RequestBody {
  fileprivate func isInMemory(holding text: String) -> Bool {
    guard case .bytes(let bytes) = source else { return false }
    return bytes.withUnsafeReadableBytes { $0.contains(Array(text.utf8)) }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether these bytes contain those of `text`, which is not empty. The C library searches gigabytes quickly, also in
  /// debug builds.
  fileprivate func contains(_ text: [UInt8]) -> Bool {
    var rest = self
    while let start = rest.baseAddress, rest.count >= text.count,
      let found = memchr(start, CInt(text[0]), rest.count - text.count + 1)
    {
      if memcmp(found, text, text.count) == 0 { return true }
      rest = UnsafeRawBufferPointer(rebasing: rest[(start.distance(to: found) + 1)...])
    }
    return false
  }
}

extension RequestBody {
  /// Returns the same body, which fails with `mismatch` when its size is not its announced length. The size of a file
  /// is checked when the file is sent.
  func checked(
    _ mismatch: @escaping @Sendable (_ announced: Int64, _ sent: Int64) -> MartletError
  ) -> RequestBody {
    guard case .producer(let produce) = source, let length else { return self }
    return .producer(length: length, isReplayable: isReplayable) { write in
      let sent = Locked<Int64>(0)
      try await produce { chunk in
        let total = sent.withLock { sent in
          sent += Int64(chunk.readableBytes)
          return sent
        }
        guard total <= length else { throw mismatch(length, total) }
        try await write(chunk)
      }
      guard sent.current == length else { throw mismatch(length, sent.current) }
    }
  }
}

/// How fast a form is sent; see ``MultipartFormData/throttleBandwidth(packetSize:delay:)``.
public struct UploadThrottle: Hashable, Sendable {
  /// The packet size for a slow cellular link: 16 KiB (REQ-M35).
  public static let suggestedCellularPacketSize = 16_384
  /// The delay for a slow cellular link: 0.2 s (REQ-M35).
  public static let suggestedCellularDelay = Duration.milliseconds(200)

  /// The maximum number of bytes that are sent at once.
  public let packetSize: Int
  /// How long to wait after each packet.
  public let delay: Duration

  /// A throttle from a packet size and a delay.
  ///
  /// - Throws: `MartletError` with code `.invalidRequest` when `packetSize` is not positive.
  public init(packetSize: Int, delay: Duration) throws(MartletError) {
    guard packetSize > 0 else { throw .invalidPacketSize(packetSize) }
    (self.packetSize, self.delay) = (packetSize, delay)
  }
}

extension RequestBody {
  /// Returns the same body, which is sent in packets with a pause after each. This also applies when it is sent again
  /// (REQ-M38 differs: there only the first time is throttled).
  func paced(by throttle: UploadThrottle) -> RequestBody {
    .producer(length: length, isReplayable: isReplayable) { write in
      try await BodyChunks.write(self) { chunk in
        var rest = chunk
        while rest.readableBytes > 0 {
          let size = min(rest.readableBytes, throttle.packetSize)
          guard let packet = rest.readSlice(length: size) else { return }
          try await write(packet)
          if throttle.delay > .zero { try await Task.sleep(for: throttle.delay) }
        }
      }
    }
  }
}
