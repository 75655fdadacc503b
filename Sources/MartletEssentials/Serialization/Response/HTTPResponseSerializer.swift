public import EssentialFoundation

/// Checks the status and the content type of a response, and leaves its body as it is.
///
/// The default accepts status codes 200 to 299 and any content type.
public struct HTTPResponseSerializer: HTTPResponseSerializing, Hashable, Codable {
  var statusCodes: Set<Int>?
  var contentTypes: Set<String>?

  /// 200 to 299.
  public static let successfulStatusCodes = Set(200...299)

  /// A serializer that accepts what it is given.
  ///
  /// - Parameters:
  ///   - acceptableStatusCodes: `nil` accepts all. The default is 200 to 299.
  ///   - acceptableContentTypes: In lower case and without parameters; `nil`, the default, accepts
  ///     all.
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

  /// The body as it is.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - data: Its body.
  /// - Returns: `data`.
  /// - Throws: `MartletError` with code `.unacceptableStatusCode` or `.unacceptableContentType`; its
  ///   `object` is `data` all the same (RES-B1).
  public func serialize(_ response: Response, data: Data) throws -> Data {
    guard var error = validation(of: response, data: data).error else { return data }
    error.object = data
    throw error
  }
}

extension HTTPResponseSerializer {
  /// What the checks of a response came to.
  public struct Validation: Sendable {
    /// Whether every check passed.
    public var isValid: Bool
    /// What is wrong. An unacceptable content type without a body is invalid and yet no error
    /// (RES-V4), because there is nothing that could be misread.
    public var error: MartletError?
  }

  /// Checks the content type and the status of a response (RES-V1 to RES-V10).
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - data: Its body, perhaps no bytes.
  /// - Returns: Whether it is acceptable, and what to throw if not. With both wrong the error is about
  ///   the status, and the one about the content type is its `underlying` (RES-V8); else that is the
  ///   response's `authenticationError`.
  public func validation(of response: Response, data: Data) -> Validation {
    var validation = Validation(isValid: true)
    if !acceptsContentType(of: response, data: data) {
      validation.isValid = false
      if !data.isEmpty { validation.error = .unacceptableContentType(of: response, data: data) }
    }
    if let statusCodes, !statusCodes.contains(response.status.code) {
      validation.isValid = false
      validation.error = .unacceptableStatusCode(
        of: response, data: data, underlying: validation.error ?? response.authenticationError)
    }
    return validation
  }

  /// RES-V2, RES-V3: no type is acceptable as long as there is no body either.
  private func acceptsContentType(of response: Response, data: Data) -> Bool {
    guard let contentTypes else { return true }
    guard let type = response.mimeType else { return data.isEmpty }
    return contentTypes.contains(type)
  }
}
