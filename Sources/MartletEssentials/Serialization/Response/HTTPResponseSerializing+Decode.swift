public import EssentialFoundation
import MartletCore
import NIOCore

extension HTTPResponseSerializing {
  /// Checks a response and decodes its body. Every serializer uses this function.
  ///
  /// * An acceptable response is decoded.
  /// * A response with an unacceptable content type is not decoded, unless its body is empty. The error has code
  ///   `.unacceptableContentType`. If the status is unacceptable, too, that error is the `underlying` of the error
  ///   about the status.
  /// * A response with only an unacceptable status is decoded, too, because servers describe errors in the requested
  ///   format. The value is the error's `object` (RES-E3).
  ///
  /// When the status is unacceptable and the body cannot be decoded, the error is about the body. Its `underlying` is
  /// the error about the status, and the last error of the chain is that of the decoder (RES-E4). `hasCode(_:)` finds
  /// both codes.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - data: Its body, which may be empty.
  ///   - decode: Converts the body into the value.
  /// - Returns: What `decode` returns.
  /// - Throws: `MartletError` with code `.unacceptableStatusCode`, `.unacceptableContentType` or `.decodingFailed`. A
  ///   `MartletError` that `decode` throws keeps its code.
  public func decode(
    _ response: Response, data: Data, with decode: (Data) throws -> Output
  ) throws -> Output {
    try validateAndDecode(response, data, decode) { rejection, failure in
      failure.combined(with: rejection)
    }
  }

  /// Checks a response and decodes its body. `join` combines the error about the status with the error about the body.
  func validateAndDecode(
    _ response: Response, _ data: Data, _ decode: (Data) throws -> Output,
    join: (_ rejection: MartletError, _ failure: MartletError) -> MartletError
  ) throws -> Output {
    do {
      try validate(response, data: data)
    } catch var rejection as MartletError where !rejection.hasCode(.unacceptableContentType) {
      do {
        rejection.object = object(of: try attempt(response, data, decode))
      } catch {
        throw join(rejection, error)
      }
      throw rejection
    }
    return try attempt(response, data, decode)
  }

  /// Decodes the body, and converts every error into a `MartletError`.
  private func attempt(_ response: Response, _ data: Data, _ decode: (Data) throws -> Output)
    throws(MartletError) -> Output
  {
    do {
      return try decode(data)
    } catch var error as MartletError {
      error.response = error.response ?? response.head
      error.body = error.body ?? data.errorBody
      throw error
    } catch {
      throw .decodingFailed(as: Output.self, of: response, data: data, underlying: error)
    }
  }
}

/// The result of a response serializer: an object, an error, or both (SES-C10).
struct SerializationOutcome: Sendable {
  var object: (any Sendable)?
  var error: MartletError?
}

extension ResponseSerializing {
  /// Runs the serializer, and returns its object, its error, or both.
  func outcome(of response: Response) async -> SerializationOutcome {
    do {
      let data = Data(try await response.body.collect().readableBytesView)
      let value = try value(of: response, data: data)
      return SerializationOutcome(object: object(of: value))
    } catch {
      let error = MartletError.wrapping(error)
      return SerializationOutcome(object: error.object, error: error)
    }
  }

  /// Runs the serializer. A large body is serialized neither on the caller's actor nor on a thread of the engine.
  ///
  /// - Throws: `MartletError`; errors of another type are converted.
  func value(of response: Response, upTo limit: Int = Delivery.defaultBufferLimit) async throws
    -> Output
  {
    let bytes = try await response.body.collect(upTo: limit)
    guard !bytes.isLargeBody else {
      return try await runOnGlobalExecutor { try await largeValue(of: response, bytes) }
    }
    return try value(of: response, data: Data(bytes.readableBytesView))
  }

  @concurrent
  private func largeValue(of response: Response, _ bytes: ByteBuffer) async throws -> Output {
    try value(of: response, data: Data(bytes.readableBytesView))
  }

  /// Runs the serializer, and converts every error into a `MartletError`.
  func value(of response: Response, data: Data) throws(MartletError) -> Output {
    do {
      return try serialize(response, data: data)
    } catch {
      throw .serialization(error, as: Output.self, of: response, data: data)
    }
  }
}
