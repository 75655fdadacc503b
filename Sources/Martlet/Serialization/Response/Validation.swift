public import Foundation

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
  ///   response's `refusal`.
  public func validation(of response: Response, data: Data) -> Validation {
    var validation = Validation(isValid: true)
    if !acceptsContentType(of: response, data: data) {
      validation.isValid = false
      if !data.isEmpty { validation.error = .unacceptableContentType(of: response, data: data) }
    }
    if let statusCodes, !statusCodes.contains(response.status.code) {
      validation.isValid = false
      validation.error = .unacceptableStatusCode(
        of: response, data: data, underlying: validation.error ?? response.refusal)
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
