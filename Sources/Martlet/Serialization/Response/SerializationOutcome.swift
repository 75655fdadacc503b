import Foundation
import MartletCore
import NIOCore

/// What a response serializer made of a response: an object, an error, or both (SES-C10).
struct SerializationOutcome: Sendable {
  var object: (any Sendable)?
  var error: MartletError?
}

extension ResponseSerializing {
  /// Runs the serializer, for whoever takes whatever comes out.
  func outcome(of response: Response) async -> SerializationOutcome {
    do {
      let data = try await response.body.data()
      return SerializationOutcome(object: object(of: try serialize(response, data: data)))
    } catch {
      let error = error as? MartletError ?? .wrapping(error)
      return SerializationOutcome(object: error.object, error: error)
    }
  }
}

extension ResponseBody {
  /// The whole body, as Foundation has bytes.
  func data() async throws -> Data {
    Data(try await collect().readableBytesView)
  }
}
