import Foundation
import MartletCore
import NIOCore

extension DecodableResponseSerializer {
  /// Decodes a response, away from the caller's actor when the body is large.
  func value(of response: Response) async throws -> Value {
    let bytes = try await response.body.collect()
    guard !bytes.isLargeBody else { return try await elsewhere(response, bytes) }
    return try value(of: response, data: Data(bytes.readableBytesView))
  }

  @concurrent
  private func elsewhere(_ response: Response, _ bytes: ByteBuffer) async throws -> Value {
    try value(of: response, data: Data(bytes.readableBytesView))
  }
}
