public import EssentialFoundation
public import MartletCore
import NIOCore

/// The body of a response as a value. A body that is a stream is read to its end. The status is not checked.
extension Response {
  /// Returns the bytes of the body.
  ///
  /// - Parameter limit: The most bytes to accept. The default is 256 MiB.
  /// - Returns: The bytes.
  /// - Throws: `MartletError` with code `.bodyTooLarge`, or the error of the exchange.
  public func data(upTo limit: Int = Delivery.defaultBufferLimit) async throws -> Data {
    Data(try await body.collect(upTo: limit).readableBytesView)
  }

  /// Returns the text of the body, in the encoding of its byte-order mark, else of the charset that `Content-Type` names,
  /// else UTF-8.
  ///
  /// - Parameter limit: The most bytes to accept. The default is 256 MiB.
  /// - Returns: The text.
  /// - Throws: `MartletError` with code `.decodingFailed` when the bytes are not text in this encoding, `.bodyTooLarge`, or
  ///   the error of the exchange.
  public func text(upTo limit: Int = Delivery.defaultBufferLimit) async throws -> String {
    try await value(of: TextResponseSerializer(), upTo: limit)
  }

  /// Returns the JSON of the body; `nil` for a body without bytes, or with only a single space.
  ///
  /// - Parameter limit: The most bytes to accept. The default is 256 MiB.
  /// - Returns: The JSON value.
  /// - Throws: `MartletError` with code `.decodingFailed` when the bytes are not JSON, `.bodyTooLarge`, or the error of the
  ///   exchange.
  public func json(upTo limit: Int = Delivery.defaultBufferLimit) async throws -> JSON? {
    try await value(of: JSONResponseSerializer(readingOptions: .fragmentsAllowed), upTo: limit)
  }

  /// Decodes the body.
  ///
  ///     let user = try await response.decode(User.self)
  ///
  /// - Parameters:
  ///   - type: The type of the value. The default is inferred from the context.
  ///   - decoder: The decoder. The default is a plain `JSONDecoder`.
  ///   - limit: The most bytes to accept. The default is 256 MiB.
  /// - Returns: The value.
  /// - Throws: `MartletError` with code `.decodingFailed`, whose message names the missing or invalid value; with code
  ///   `.bodyTooLarge`; or the error of the exchange.
  public func decode<Value: Decodable & Sendable>(
    _ type: Value.Type = Value.self, with decoder: any DataDecoder = JSONDecoder(),
    upTo limit: Int = Delivery.defaultBufferLimit
  ) async throws -> Value {
    try await value(of: DecodableResponseSerializer<Value>(decoder: decoder), upTo: limit)
  }

  private func value<Value>(of serializer: some HTTPResponseSerializing<Value>, upTo limit: Int)
    async throws -> Value
  {
    var serializer = serializer
    serializer.http = HTTPResponseSerializer(acceptableStatusCodes: nil)
    return try await serializer.value(of: self, upTo: limit)
  }
}

extension Response {
  /// Returns the lines of the body as they arrive.
  ///
  ///     let log = try await api.get("log") { $0.delivery = .stream }
  ///     for try await line in log.lines() { print(line) }
  ///
  /// A line ends with LF, or with CR and LF; the last line may end with the body. Bytes that are not UTF-8 become U+FFFD.
  /// The stream ends early when the iterator is released, or after `log.body.cancel()`.
  ///
  /// - Parameter limit: The most bytes of a line. The default is 1 MiB. Reading a longer line throws `MartletError` with
  ///   code `.bodyTooLarge`.
  /// - Returns: The lines.
  public func lines(upTo limit: Int = 1 << 20) -> ResponseLines {
    ResponseLines(body: body, limit: limit)
  }
}

extension Response {
  /// Checks the response, and returns it.
  ///
  ///     let response = try await api.response(.get, "users/7").validate(contentTypes: ["+json"]) {
  ///       guard $0.headers[.eTag] != nil else { throw MissingTag() }
  ///     }
  ///
  /// - Parameters:
  ///   - statuses: The status codes that are acceptable; `nil` accepts all. The default is 200 to 299.
  ///   - contentTypes: The content types that are acceptable, in lower case and without parameters. An entry such as
  ///     `+json` stands for all types with this suffix. The default, `nil`, accepts all.
  ///   - check: A check of your own, called after the others. The default accepts all.
  /// - Returns: The response.
  /// - Throws: `MartletError` with code `.unacceptableStatusCode` or `.unacceptableContentType`, or what `check` throws. A
  ///   streamed body is not read for the error.
  @discardableResult
  public func validate(
    statuses: Set<Int>? = HTTPResponseSerializer.successfulStatusCodes,
    contentTypes: Set<String>? = nil, _ check: (Response) throws -> Void = { _ in }
  ) throws -> Response {
    let rules = HTTPResponseSerializer(
      acceptableStatusCodes: statuses, acceptableContentTypes: contentTypes)
    let data = body.bytes.map { Data($0.readableBytesView) }
    let validation = rules.validation(
      of: self, data: data ?? Data(), hasBody: data.map { !$0.isEmpty } ?? true)
    if var error = validation.error {
      error.request = request
      throw error
    }
    try check(self)
    return self
  }

  /// The error for a response whose status is not acceptable, with the beginning of the body.
  var unacceptable: MartletError {
    get async {
      var beginning = ByteBuffer()
      do {
        for try await chunk in body {
          beginning.writeImmutableBuffer(chunk)
          guard beginning.readableBytes < MartletError.bodyLimit else { break }
        }
      } catch {
        // The error is about the status. A body that cannot be read to its end does not change that.
      }
      body.cancel()
      var error = MartletError.unacceptableStatusCode(
        of: self, data: Data(beginning.readableBytesView), underlying: authenticationError)
      error.request = request
      return error
    }
  }
}
