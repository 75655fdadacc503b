import EssentialFoundation
import MartletCore
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
  func add(to entry: inout HTTPArchive.Entry, isComplete: Bool, _ options: ArchiveOptions) {
    guard isReported else {
      if entry.response.content.size > 0 {
        entry.response.content.comment = "The body is not kept."
      }
      return
    }
    entry.response.content.size = length
    guard length <= Int64(options.bodyLimit) else {
      entry.response.content.comment =
        "The body is longer than the limit of \(options.bodyLimit) bytes."
      return
    }
    guard let text = beginning.archived(type: entry.response.content.mimeType, options) else {
      entry.response.content.comment = "The body is not kept, because it may have secrets."
      return
    }
    if !isComplete { entry.response.content.comment = "The body was not read to its end." }
    entry.response.content.text = text.text
    entry.response.content.encoding = text.encoding
  }
}

extension ByteBuffer {
  /// The bytes as text with secrets masked, in Base64 if they are not UTF-8; `nil` if their type has secrets that cannot be
  /// found.
  func archived(type: String?, _ options: ArchiveOptions) -> (text: String, encoding: String?)? {
    let shown = options.showsSecrets ? self : SecretText.masked(self, type: type)
    guard let bytes = shown?.readableBytesView else { return nil }
    return String(validating: bytes, as: UTF8.self).map { ($0, nil) }
      ?? (Data(bytes).base64EncodedString(), "base64")
  }
}
