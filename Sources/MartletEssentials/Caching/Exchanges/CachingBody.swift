import EssentialFoundation
import MartletCore
import NIOCore

/// A body that is stored while it is read, however it is delivered.
final class CachingBody: DeliveringBodySource {
  private let body: ResponseBody
  private let recorder: ResponseRecorder

  init(_ body: ResponseBody, _ recorder: ResponseRecorder) {
    self.body = body
    self.recorder = recorder
  }

  func next() async throws -> ByteBuffer? {
    do {
      var chunks = body.makeAsyncIterator()
      guard let chunk = try await chunks.next() else {
        await recorder.finish()
        return nil
      }
      await recorder.append(chunk)
      return chunk
    } catch {
      recorder.cut(isFailure: true)
      throw error
    }
  }

  /// Returns `nil`, so that the body is read through this object, whatever its delivery. A body that is discarded is
  /// read as far as that keeps the connection.
  func deliver(_ handling: Delivery.BodyHandling) async throws -> ResponseBody? {
    if case .buffer(let limit) = handling { expectBuffer(limit) }
    return nil
  }

  func expectBuffer(_ limit: Int) { body.expectBuffer(limit) }

  func abandon() {
    recorder.cut(isFailure: false)
    body.cancel()
  }

  var completion: ResponseBody.Completion? { body.completion }
}
