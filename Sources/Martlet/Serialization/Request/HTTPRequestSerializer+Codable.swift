import Foundation
import MartletCore

/// Everything but a custom query style, which is a closure: the default one comes back (REQ-H29).
///
/// The headers are written as they are, credentials among them: keep what you write in a safe place.
extension HTTPRequestSerializer: Codable {
  private enum Key: CodingKey {
    case headers, parameterEncoding, stringEncoding, methodsEncodingParametersInURL
    case allowsCellularAccess, cachePolicy, shouldHandleCookies, shouldUsePipelining
    case networkServiceType, timeoutInterval
  }

  /// Reads a serializer.
  ///
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    self.init()
    httpRequestHeaders = try values.decodeFields(forKey: .headers)
    parameterEncoding = try values.decode(ParameterEncoding.self, forKey: .parameterEncoding)
    stringEncoding = String.Encoding(
      rawValue: try values.decode(UInt.self, forKey: .stringEncoding))
    methodsEncodingParametersInURL = try Self.methods(in: values)
    allowsCellularAccess = try values.decodeIfPresent(Bool.self, forKey: .allowsCellularAccess)
    cachePolicy = try values.decodeIfPresent(Request.CachePolicy.self, forKey: .cachePolicy)
    shouldHandleCookies = try values.decodeIfPresent(Bool.self, forKey: .shouldHandleCookies)
    shouldUsePipelining = try values.decodeIfPresent(Bool.self, forKey: .shouldUsePipelining)
    networkServiceType = try values.decodeIfPresent(
      Request.NetworkServiceType.self, forKey: .networkServiceType)
    timeoutInterval = try values.decodeIfPresent(Duration.self, forKey: .timeoutInterval)
  }

  private static func methods(in values: KeyedDecodingContainer<Key>) throws
    -> Set<HTTPRequest.Method>
  {
    let names = try values.decode([String].self, forKey: .methodsEncodingParametersInURL)
    return try Set(
      names.map { name in
        if let method = HTTPRequest.Method(name) { return method }
        throw DecodingError.dataCorruptedError(
          forKey: .methodsEncodingParametersInURL, in: values,
          debugDescription: "“\(name)” is not a method.")
      })
  }

  /// Writes the serializer.
  ///
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(httpRequestHeaders, forKey: .headers)
    try values.encode(parameterEncoding, forKey: .parameterEncoding)
    try values.encode(stringEncoding.rawValue, forKey: .stringEncoding)
    try values.encode(
      methodsEncodingParametersInURL.map(\.rawValue).sorted(),
      forKey: .methodsEncodingParametersInURL)
    try values.encodeIfPresent(allowsCellularAccess, forKey: .allowsCellularAccess)
    try values.encodeIfPresent(cachePolicy, forKey: .cachePolicy)
    try values.encodeIfPresent(shouldHandleCookies, forKey: .shouldHandleCookies)
    try values.encodeIfPresent(shouldUsePipelining, forKey: .shouldUsePipelining)
    try values.encodeIfPresent(networkServiceType, forKey: .networkServiceType)
    try values.encodeIfPresent(timeoutInterval, forKey: .timeoutInterval)
  }
}
