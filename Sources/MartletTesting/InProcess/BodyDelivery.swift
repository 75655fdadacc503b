import MartletCore
import NIOCore

/// Delivers the body of an in-process response as the request's `delivery` specifies.
struct BodyDelivery {
  private let response: Response
  private let exchange: InProcessExchange

  init(_ response: Response, exchange: InProcessExchange) {
    self.response = response
    self.exchange = exchange
  }

  func deliver(_ handling: Delivery.BodyHandling) async throws -> Response {
    switch handling {
    case .stream: stream()
    case .discard: finished(ResponseBody(discardedWith: nil))
    case .buffer, .file, .writer:
      finished(try await ResponseBody(stream: received()).delivered(handling, of: nil))
    }
  }

  private func finished(_ body: ResponseBody) -> Response {
    var response = response
    response.body = body.completed(response.body.completion)
    exchange.finish(response.metrics)
    return response
  }

  /// Returns the response at once; its body is produced as it is read.
  private func stream() -> Response {
    let (exchange, metrics) = (exchange, response.metrics)
    let body = received { end in
      switch end {
      case .success: exchange.finish(metrics)
      case .failure(let error): exchange.fail(error)
      }
    }
    exchange.setStopHandler { body.abandon() }
    var response = response
    response.body = ResponseBody(
      stream: StreamedBody(body: body, exchange: exchange), of: exchange.call)
    return response
  }

  /// The body as a stream that reports each chunk that is read.
  private func received(
    atEnd: @escaping @Sendable (Result<Void, any Error>) -> Void = { _ in }
  ) -> ProducedBody {
    let (body, delivery) = (response.body, self)
    return ProducedBody(completion: { body.completion }) { write in
      do {
        for try await chunk in body {
          try await delivery.receive(chunk)
          try await write(chunk)
        }
      } catch {
        atEnd(.failure(error))
        throw InProcessTransport.martletError(error)
      }
      atEnd(.success(()))
    }
  }

  /// Reports a chunk as soon as the call is not suspended.
  private func receive(_ chunk: ByteBuffer) async throws {
    try await exchange.waitWhileSuspended()
    exchange.report(
      .bodyReceived(bytes: chunk.readableBytes, total: response.head.contentLength))
  }
}

/// A body that cancels its exchange when it is abandoned.
private struct StreamedBody: ResponseBodySource {
  let body: ProducedBody
  let exchange: InProcessExchange

  func next() async throws -> ByteBuffer? { try await body.next() }

  func abandon() { exchange.cancel() }

  var completion: ResponseBody.Completion? { body.completion }
}

extension ResponseBody {
  fileprivate func completed(_ completion: Completion?) -> ResponseBody {
    if kind == .discarded { return ResponseBody(discardedWith: completion) }
    if let bytes { return ResponseBody(bytes: bytes, completion: completion) }
    if let file { return ResponseBody(file: file, completion: completion) }
    return self
  }
}
