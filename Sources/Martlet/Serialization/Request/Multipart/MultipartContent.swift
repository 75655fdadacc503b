import MartletCore
import MartletTransport
import NIOCore

extension MultipartFormData {
  /// The form as the body of a request, and the content type that names its boundary.
  ///
  /// Each call chooses another boundary: one that no part holds that is in memory. The body knows its
  /// length when all parts know theirs.
  public func encoded() -> (body: Body, contentType: String) {
    var generator = SystemRandomNumberGenerator()
    return encoded(using: &generator)
  }

  func encoded(using generator: inout some RandomNumberGenerator)
    -> (body: Body, contentType: String)
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

/// Bodies, one after another.
private struct MultipartContent {
  private var pieces: [Body] = []
  /// What is small is copied together, so that a form of fields leaves in one write.
  private var pending = ByteBuffer()
  private static let largestCopy = 64 << 10

  mutating func append(_ text: String) {
    pending.writeString(text)
  }

  mutating func append(_ body: Body) {
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

  /// All of it. It can be sent again when all its pieces can.
  var body: Body {
    let pieces = pieces + [.bytes(pending)]
    guard pieces.count > 1 else { return .bytes(pending) }
    return .producer(
      length: pieces.totalLength, isReplayable: pieces.allSatisfy(\.isReplayable)
    ) { write in
      for piece in pieces { try await BodyChunks.write(piece, to: write) }
    }
  }
}

extension [Body] {
  /// `nil` when one of them does not know its length, or the sum is more than a number holds.
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
