import Foundation
import MartletCore
import NIOCore

/// Does with the body of an in-process response what the request's delivery wants.
struct BodyDelivering {
  private let response: Response
  private let exchange: Exchange?

  init(_ response: Response, exchange: Exchange?) {
    self.response = response
    self.exchange = exchange
  }

  func deliver(_ choice: Delivery.Choice) async throws -> Response {
    switch choice {
    case .discard: finished(.empty)
    case .buffer(let limit): finished(ResponseBody(bytes: try await buffer(limit)))
    case .stream: stream()
    case .file(let file): finished(ResponseBody(file: try await write(to: file)))
    }
  }

  private func finished(_ body: ResponseBody) -> Response {
    var response = response
    response.body = body.completed(response.body.completion)
    exchange?.report(.finished(response.metrics))
    return response
  }

  private func buffer(_ limit: Int) async throws -> ByteBuffer {
    var whole = ByteBuffer()
    for try await chunk in response.body {
      report(chunk)
      guard whole.readableBytes + chunk.readableBytes <= limit else {
        throw MartletError.bodyTooLarge(limit: limit)
      }
      whole.writeImmutableBuffer(chunk)
    }
    return whole
  }

  /// The response at once, its body as it is asked for.
  private func stream() -> Response {
    let (exchange, metrics) = (exchange, response.metrics)
    var response = response
    response.body = reporting { end in
      switch end {
      case .success: exchange?.report(.finished(metrics))
      case .failure(let error): exchange?.report(.failed(error))
      }
    }
    return response
  }

  /// The body as a stream that reports what is taken from it.
  private func reporting(
    atEnd: @escaping @Sendable (Result<Void, MartletError>) -> Void = { _ in }
  ) -> ResponseBody {
    let (exchange, total, body) = (exchange, response.head.contentLength, response.body)
    let source = ProducedBody(completion: { body.completion }) { write in
      do {
        for try await chunk in body {
          exchange?.report(.received(bytes: chunk.readableBytes, total: total))
          try await write(chunk)
        }
      } catch {
        let error = InProcessTransport.martletError(error)
        atEnd(.failure(error))
        throw error
      }
      atEnd(.success(()))
    }
    return ResponseBody(stream: source)
  }

  private func report(_ chunk: ByteBuffer) {
    exchange?.report(.received(bytes: chunk.readableBytes, total: response.head.contentLength))
  }

  /// Writes to a file beside the final one and renames it when it is complete.
  private func write(to file: FileDelivery) async throws -> URL {
    if !file.replacesExisting, FileManager.default.fileExists(atPath: file.url.path) {
      throw MartletError.fileExists(file.url)
    }
    let partial = file.url.deletingLastPathComponent()
      .appending(path: ".\(file.url.lastPathComponent).\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: partial) }
    let body = try file.decoding.map { try reporting().decoded(by: $0) } ?? response.body
    let handle = try Self.create(partial, for: file.url)
    defer { try? handle.close() }
    for try await chunk in body {
      if file.decoding == nil { report(chunk) }
      try Self.checking(file.url) { try handle.write(contentsOf: Data(chunk.readableBytesView)) }
    }
    try Self.checking(file.url) {
      guard rename(partial.path, file.url.path) == 0 else { throw POSIXError(.EIO) }
    }
    return file.url
  }

  private static func create(_ partial: URL, for url: URL) throws -> FileHandle {
    try checking(url) {
      try Data().write(to: partial, options: .withoutOverwriting)
      return try FileHandle(forWritingTo: partial)
    }
  }

  private static func checking<Result>(_ url: URL, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch { throw MartletError.fileNotWritable(url, underlying: error) }
  }
}

extension ResponseBody {
  fileprivate func completed(_ completion: Completion?) -> ResponseBody {
    if let bytes { return ResponseBody(bytes: bytes, completion: completion) }
    if let file { return ResponseBody(file: file, completion: completion) }
    return self
  }
}
