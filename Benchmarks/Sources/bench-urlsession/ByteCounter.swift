import Foundation
import FoundationNetworking

/// Counts the bytes of one task and discards them.
///
/// Unchecked because the session calls its delegates on one serial queue.
final class ByteCounter: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private let continuation: CheckedContinuation<Int, any Error>
  private var bytes = 0

  init(_ continuation: CheckedContinuation<Int, any Error>) {
    self.continuation = continuation
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    bytes += data.count
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    if let error {
      continuation.resume(throwing: error)
    } else {
      continuation.resume(returning: bytes)
    }
  }
}
