import Foundation
import MartletCore
import NIOCore

/// What a response serializer made of a response: an object, an error, or both (SES-C10).
struct SerializationOutcome: Sendable {
  var object: (any Sendable)?
  var error: MartletError?
}

extension ResponseSerializing {
  /// Runs the serializer, and returns its object or its error.
  func outcome(of response: Response) async -> SerializationOutcome {
    do {
      let value = try value(of: response, data: try await response.body.data())
      return SerializationOutcome(object: object(of: value))
    } catch {
      let error = MartletError.wrapping(error)
      return SerializationOutcome(object: error.object, error: error)
    }
  }

  /// Runs the serializer, and puts whatever it throws into words.
  func value(of response: Response, data: Data) throws(MartletError) -> Output {
    do {
      return try serialize(response, data: data)
    } catch {
      throw .serialization(error, as: Output.self, of: response, data: data)
    }
  }
}

extension ResponseBody {
  /// The whole body, as Foundation has bytes.
  func data() async throws -> Data {
    Data(try await collect().readableBytesView)
  }
}
