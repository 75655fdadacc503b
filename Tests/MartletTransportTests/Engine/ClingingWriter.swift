import Dispatch
import Foundation
import MartletCore
import MartletTesting
import NIOCore

/// A writer of bodies that blocks its thread in `close()` until a test releases it.
final class ClingingWriter: ResponseBodyWriter {
  let url = URL(fileURLWithPath: "/clinging")
  let log = AwaitableValue<[String]>([])
  let mayClose = DispatchSemaphore(value: 0)

  func write(_ chunks: [ByteBuffer]) throws {}
  func complete() throws {}
  func abandon() { log.update { $0.append("abandon") } }

  func close() {
    log.update { $0.append("close") }
    mayClose.wait()
  }
}
