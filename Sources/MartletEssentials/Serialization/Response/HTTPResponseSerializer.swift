public import EssentialFoundation

/// Checks the status and the content type of a response, and returns its body unchanged.
///
/// The default accepts status codes 200 to 299 and any content type.
public struct HTTPResponseSerializer: HTTPResponseSerializing, Hashable, Codable {
  var statusCodes: Set<Int>?
  var contentTypes: Set<String>?

  /// 200 to 299.
  public static let successfulStatusCodes = Set(200...299)

  /// A serializer that accepts the given status codes and content types.
  ///
  /// - Parameters:
  ///   - acceptableStatusCodes: `nil` accepts all. The default is 200 to 299.
  ///   - acceptableContentTypes: In lower case and without parameters. An entry such as `+json` stands for all types
  ///     with this suffix (RFC 6839). The default, `nil`, accepts all.
  public init(
    acceptableStatusCodes: Set<Int>? = successfulStatusCodes,
    acceptableContentTypes: Set<String>? = nil
  ) {
    statusCodes = acceptableStatusCodes
    contentTypes = acceptableContentTypes
  }

  /// This serializer itself.
  public var http: HTTPResponseSerializer {
    get { self }
    set { self = newValue }
  }

  /// Returns the body unchanged.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - data: Its body.
  /// - Returns: `data`.
  /// - Throws: `MartletError` with code `.unacceptableStatusCode` or `.unacceptableContentType`; its `object` is `data`
  ///   (RES-B1).
  public func serialize(_ response: Response, data: Data) throws -> Data {
    guard var error = validation(of: response, data: data).error else { return data }
    error.object = data
    throw error
  }
}

extension HTTPResponseSerializer {
  /// The result of checking a response.
  public struct Validation: Sendable {
    /// Whether every check passed.
    public var isValid: Bool
    /// The error, if there is one. If only the content type is unacceptable and there is no body, the response is
    /// invalid but has no error (RES-V4), because there is nothing that could be misread.
    public var error: MartletError?
  }

  /// Checks the content type and the status of a response (RES-V1 to RES-V10).
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - data: Its body, which may be empty.
  /// - Returns: Whether it is acceptable, and the error to throw if it is not. If both are unacceptable, the error is
  ///   about the status, and the error about the content type is its `underlying` (RES-V8). Otherwise the `underlying`
  ///   of an error about the status is the response's `authenticationError`, if there is one.
  public func validation(of response: Response, data: Data) -> Validation {
    validation(of: response, data: data, hasBody: !data.isEmpty)
  }

  /// The same for a response whose body may be only partly in `data`.
  func validation(of response: Response, data: Data, hasBody: Bool) -> Validation {
    var validation = Validation(isValid: true)
    if !acceptsContentType(of: response, hasBody: hasBody) {
      validation.isValid = false
      if hasBody { validation.error = .unacceptableContentType(of: response, data: data) }
    }
    if let statusCodes, !statusCodes.contains(response.status.code) {
      validation.isValid = false
      validation.error = .unacceptableStatusCode(
        of: response, data: data, underlying: validation.error ?? response.authenticationError)
    }
    return validation
  }

  /// RES-V2, RES-V3: a response without a content type is acceptable if it has no body.
  private func acceptsContentType(of response: Response, hasBody: Bool) -> Bool {
    guard let contentTypes else { return true }
    guard let type = response.mimeType else { return !hasBody }
    guard !contentTypes.contains(type) else { return true }
    return type.lastIndex(of: "+").map { contentTypes.contains(String(type[$0...])) } ?? false
  }
}
