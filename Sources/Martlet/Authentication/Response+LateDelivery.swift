import MartletCore
import NIOCore

/// Bodies that came as a stream because nobody could say at the head what would become of them.
extension Response {
  /// How much of an unwanted body is read to keep its connection, as the engine does.
  private static let discardLimit = 64 << 10

  /// The response as its caller wants it after all.
  ///
  /// - Throws: What receiving the rest throws, `MartletError` with code `.bodyTooLarge`, or what the writer throws.
  func delivered(_ choice: Delivery.Choice) async throws -> Response {
    var response = self
    switch choice {
    case .stream: break
    case .discard: await response.discardBody()
    case .buffer(let limit):
      let bytes = try await body.collect(upTo: limit)
      response.body = ResponseBody(bytes: bytes, completion: body.completion)
    case .file(let file):
      try await elsewhere { try await body.write(to: PartialFile(file)) }
      response.body = ResponseBody(file: file.url, completion: body.completion)
    case .writer(let writer):
      try await elsewhere { try await body.write(to: writer) }
      response.body = ResponseBody(file: writer.url, completion: body.completion)
    }
    return response
  }

  /// Reads what little there is, and gives up what is more.
  mutating func discardBody() async {
    var count = 0
    do {
      for try await chunk in body {
        count += chunk.readableBytes
        if count > Self.discardLimit { break }
      }
    } catch {
      // Nobody wanted it.
    }
    body = .empty
  }
}

extension ResponseBody {
  @concurrent
  fileprivate func write(to writer: any BodyWriter) async throws {
    do {
      for try await chunk in self { try writer.write([chunk]) }
      try writer.complete()
    } catch {
      writer.abandon()
      writer.close()
      throw error as? MartletError ?? .fileNotWritable(writer.url, underlying: error)
    }
  }
}
