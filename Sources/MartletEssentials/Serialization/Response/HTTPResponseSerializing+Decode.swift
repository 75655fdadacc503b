public import EssentialFoundation
import MartletCore
import NIOCore

extension HTTPResponseSerializing {
  /// Checks a response and decodes its body: the one gate that every serializer goes through.
  ///
  /// * A response that is acceptable is decoded.
  /// * One of the wrong content type is not, and the error says so.
  /// * One of the wrong status only is decoded all the same: servers explain errors in the format that
  ///   was asked for. The value is the error's `object` (RES-E3).
  ///
  /// When the status is wrong and the body cannot be decoded either, the error is about the body, the one
  /// about the status is its `underlying`, and what the decoder threw is underneath that (RES-E4). Ask
  /// `hasCode(_:)`, which finds both.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - data: Its body, perhaps no bytes.
  ///   - decode: Turns the body into the value.
  /// - Returns: What `decode` returns.
  /// - Throws: `MartletError` with code `.unacceptableStatusCode`, `.unacceptableContentType` or
  ///   `.decodingFailed`.
  public func decode(
    _ response: Response, data: Data, with decode: (Data) throws -> Output
  ) throws -> Output {
    try validateAndDecode(response, data, decode) { rejection, failure in
      failure.combined(with: rejection)
    }
  }

  /// The gate. `join` makes one error of a status that is not acceptable and a body that cannot be
  /// decoded.
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

  /// Decodes, and puts whatever is thrown into words.
  private func attempt(_ response: Response, _ data: Data, _ decode: (Data) throws -> Output)
    throws(MartletError) -> Output
  {
    do {
      return try decode(data)
    } catch var error as MartletError {
      error.response = error.response ?? response.head
      error.body = error.body ?? data.keptInError
      throw error
    } catch {
      throw .decodingFailed(as: Output.self, of: response, data: data, underlying: error)
    }
  }
}

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
