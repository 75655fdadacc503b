public import Martlet
import Foundation
import MartletCore
import NIOCore

extension ImageResponseSerializer {
  /// The picture of a response, decoded away from the caller's actor and from an engine's thread.
  ///
  ///     for await outcome in api.send(requests) {
  ///       show(try await serializer.image(of: outcome.response))
  ///     }
  ///
  /// - Parameter response: The response, whose body is taken.
  /// - Returns: The picture, decoded if it is to be.
  /// - Throws: `MartletError`; see ``serialize(_:data:)``.
  public func image(of response: Response) async throws -> Image {
    let body = try await response.body.collect()
    // However few bytes there are, they may be many pixels.
    return try await elsewhere { try await image(of: response, body) }
  }

  @concurrent
  private func image(of response: Response, _ body: ByteBuffer) async throws -> Image {
    try serialize(response, data: Data(body.readableBytesView))
  }
}
