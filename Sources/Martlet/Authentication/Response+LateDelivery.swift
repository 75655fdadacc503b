import MartletCore
import NIOCore

/// Bodies that came as a stream because nobody could say at the head what would become of them.
extension Response {
  /// How much of an unwanted body is read to keep its connection, and how long, as the engine does.
  private static let discardLimit = 64 << 10
  private static let discardPatience = Duration.seconds(1)

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
    let unwanted = body
    body = .empty
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        do {
          var count = 0
          for try await chunk in unwanted {
            count += chunk.readableBytes
            if count > Self.discardLimit { break }
          }
        } catch {
          // Its end does not matter.
        }
      }
      group.addTask { try? await Task.sleep(for: Self.discardPatience) }
      await group.next()
      group.cancelAll()
    }
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
