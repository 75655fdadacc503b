public import MartletCore
import MartletTransport

/// Many requests that are sent concurrently, as a sequence of the values of their responses.
///
///     for await outcome in api.send(requests, as: User.self) {
///       print(outcome.index, try outcome.value)
///     }
///
/// It behaves as `ResponseBatch` does. Each response is checked and decoded when it is read.
public struct ValueBatch<Value: Sendable>: AsyncSequence, Sendable {
  /// A batch never fails as a whole: every failure is an outcome.
  public typealias Failure = Never
  typealias Decode = @Sendable (Response) async throws -> Value

  /// The outcome of one request.
  public struct Outcome: Sendable {
    /// The request's place in the sequence of requests, from 0.
    public let index: Int
    /// The request.
    public let request: Request
    /// The value, or the error.
    public let result: Result<Value, MartletError>

    /// The value.
    ///
    /// - Throws: The error, if the request has failed or its response is not acceptable.
    public var value: Value {
      get throws(MartletError) { try result.get() }
    }
  }

  private var responses: ResponseBatch
  private let decode: Decode

  init(_ responses: ResponseBatch, decode: @escaping Decode) {
    self.responses = responses
    self.decode = decode
  }

  /// The same requests, with the outcomes in the order of the requests.
  public var inOrder: ValueBatch { ValueBatch(responses.inOrder, decode: decode) }

  /// Starts to send the requests.
  public func makeAsyncIterator() -> Iterator {
    Iterator(responses: responses.makeAsyncIterator(), decode: decode)
  }

  /// Iterates over the outcomes.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let responses: ResponseBatch.Iterator
    fileprivate let decode: Decode

    /// Returns the next outcome, or `nil` after the last.
    public func next() async -> Outcome? {
      guard let outcome = await responses.next() else { return nil }
      let result: Result<Value, MartletError>
      do {
        result = .success(try await decode(try outcome.response))
      } catch {
        result = .failure(.wrapping(error))
      }
      return Outcome(index: outcome.index, request: outcome.request, result: result)
    }
  }
}
