public import Foundation
import NIOCore

extension HTTPResponseSerializing {
  /// Checks a response and decodes its body: the one gate that every serializer goes through.
  ///
  /// * A response that is acceptable is decoded.
  /// * One of the wrong content type is not, and the error says so.
  /// * One of the wrong status only is decoded all the same: servers explain errors in the format that
  ///   was asked for. The value is the error's `object` (RES-E3).
  ///
  /// When the status is wrong and the body cannot be decoded either, the error is about the status and
  /// the other is its `underlying`. (RES-E4 has them the other way round; but whoever waits for a 404
  /// should not have to look for it underneath a decoder's complaint about an error page.)
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
    do {
      try validate(response, data: data)
    } catch {
      throw failure(after: error, response, data, decode)
    }
    return try attempt(response, data, decode)
  }

  /// The error to throw for a response that is not acceptable.
  private func failure(
    after rejection: any Error, _ response: Response, _ data: Data,
    _ decode: (Data) throws -> Output
  ) -> any Error {
    guard var error = rejection as? MartletError else { return rejection }
    guard !error.hasCode(.unacceptableContentType) else { return error }
    do {
      error.object = object(of: try attempt(response, data, decode))
      return error
    } catch let failure {
      return error.combined(with: failure)
    }
  }

  /// Decodes, and puts whatever is thrown into words.
  private func attempt(_ response: Response, _ data: Data, _ decode: (Data) throws -> Output)
    throws(MartletError) -> Output
  {
    do {
      return try decode(data)
    } catch var error as MartletError {
      error.response = error.response ?? response.head
      error.body = error.body ?? ByteBuffer(bytes: data)
      throw error
    } catch {
      throw .decodingFailed(as: Output.self, of: response, data: data, underlying: error)
    }
  }
}

extension MartletError {
  /// The error with `previous` underneath, unless it has something there already (RES-E1).
  func combined(with previous: (any Error)?) -> MartletError {
    guard let previous, underlying == nil else { return self }
    var combined = self
    combined.underlying = previous
    return combined
  }

  /// Whether this error, or one underneath it, is of that kind (RES-E2).
  func hasCode(_ code: Code) -> Bool {
    self.code == code || (underlying as? MartletError)?.hasCode(code) ?? false
  }
}
