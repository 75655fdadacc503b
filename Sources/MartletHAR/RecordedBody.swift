import EssentialFoundation
import NIOCore

/// The beginning of a body, and its length.
struct RecordedBody: Sendable {
  private var beginning = ByteBuffer()
  private var length: Int64 = 0
  private var isReported = false

  mutating func append(_ bytes: ByteBuffer, upTo limit: Int) {
    length += Int64(bytes.readableBytes)
    isReported = true
    let room = max(limit - beginning.readableBytes, 0)
    beginning.writeImmutableBuffer(
      bytes.getSlice(at: bytes.readerIndex, length: min(room, bytes.readableBytes)) ?? ByteBuffer())
  }

  /// Adds the body to the entry of its response. A body that is longer than the limit is not kept.
  func add(to entry: inout HTTPArchive.Entry, upTo limit: Int) {
    guard isReported else {
      if entry.response.content.size > 0 {
        entry.response.content.comment = "The body is not kept."
      }
      return
    }
    entry.response.content.size = length
    guard length <= Int64(limit) else {
      entry.response.content.comment = "The body is longer than the limit of \(limit) bytes."
      return
    }
    let (text, encoding) = beginning.archived
    entry.response.content.text = text
    entry.response.content.encoding = encoding
  }
}

extension ByteBuffer {
  /// The bytes as text, in Base64 if they are not UTF-8.
  var archived: (text: String, encoding: String?) {
    if let text = String(validating: readableBytesView, as: UTF8.self) { return (text, nil) }
    return (Data(readableBytesView).base64EncodedString(), "base64")
  }
}
