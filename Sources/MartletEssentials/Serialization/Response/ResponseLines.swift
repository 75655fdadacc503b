import MartletCore
import NIOCore

/// The lines of a response's body.
public struct ResponseLines: AsyncSequence, Sendable {
  let body: ResponseBody
  let limit: Int

  /// Returns an iterator from the first chunk of the body that was not read yet: iterate over a stream once.
  public func makeAsyncIterator() -> Iterator {
    Iterator(chunks: body.makeAsyncIterator(), limit: limit)
  }

  /// Reads one line after the other.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var chunks: ResponseBody.Iterator
    fileprivate let limit: Int
    private var rest = ByteBuffer()
    /// How many bytes of `rest` contain no line break.
    private var searched = 0
    private var isAtEnd = false

    fileprivate init(chunks: ResponseBody.Iterator, limit: Int) {
      self.chunks = chunks
      self.limit = limit
    }

    /// Returns the next line, without its line break; `nil` at the end.
    ///
    /// - Throws: `MartletError` with code `.bodyTooLarge` for a line that is too long, or the error of the exchange.
    public mutating func next() async throws -> String? {
      while true {
        if let line = nextWholeLine() { return try checked(line) }
        guard !isAtEnd else { return try lastLine() }
        guard rest.readableBytes <= limit else { throw MartletError.bodyTooLarge(limit: limit) }
        guard let chunk = try await chunks.next() else {
          isAtEnd = true
          continue
        }
        append(chunk)
      }
    }

    /// Returns the next line, called by `for await`, which passes its own actor.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> String? {
      try await next()
    }

    /// Appends a chunk, and releases the room of the lines that were returned before.
    private mutating func append(_ chunk: ByteBuffer) {
      guard rest.readableBytes > 0 else { return rest = chunk }
      rest.discardReadBytes()
      rest.writeImmutableBuffer(chunk)
    }

    private mutating func nextWholeLine() -> ByteBuffer? {
      let unread = rest.readableBytesView.dropFirst(searched)
      guard let end = unread.firstIndex(of: UInt8(ascii: "\n")) else {
        searched = rest.readableBytes
        return nil
      }
      searched = 0
      var line = rest.readSlice(length: end - rest.readerIndex)
      rest.moveReaderIndex(forwardBy: 1)
      if let count = line?.readableBytes, line?.readableBytesView.last == UInt8(ascii: "\r") {
        line = line?.getSlice(at: line?.readerIndex ?? 0, length: count - 1)
      }
      return line
    }

    private mutating func lastLine() throws -> String? {
      guard rest.readableBytes > 0 else { return nil }
      defer { rest.clear() }
      return try checked(rest)
    }

    private func checked(_ line: ByteBuffer) throws -> String {
      guard line.readableBytes <= limit else { throw MartletError.bodyTooLarge(limit: limit) }
      return String(decoding: line.readableBytesView, as: UTF8.self)
    }
  }
}
