import Foundation
import MartletCore
import NIOCore

extension DecodableResponseSerializer {
  /// Decodes a response, away from the caller's actor and from an engine's thread when the body
  /// is large.
  func value(of response: Response) async throws -> Value {
    let bytes = try await response.body.collect()
    guard !bytes.isLargeBody else {
      return try await elsewhere { try await largeValue(of: response, bytes) }
    }
    return try value(of: response, data: Data(bytes.readableBytesView))
  }

  @concurrent
  private func largeValue(of response: Response, _ bytes: ByteBuffer) async throws -> Value {
    try value(of: response, data: Data(bytes.readableBytesView))
  }
}
