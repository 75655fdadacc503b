import EssentialFoundation
import MartletCore

/// An archive contains the base URL, both serializers, and what an archive of ``SessionConfiguration`` contains (HTM-21).
///
/// A serializer is archived if its type is `Codable`, and neither private nor local. Otherwise the decoded configuration
/// has the default serializer, and `missingSettings` names it. The program that decodes the archive must have the type,
/// too.
extension HTTPSessionManager.Configuration: Codable {
  private enum Key: CodingKey {
    case baseURL, session, requestSerializer, responseSerializer
  }

  /// Decodes a configuration.
  ///
  /// - Throws: `DecodingError`; `MartletError` with code `.invalidSecurityPolicy` for a policy that pins under a base URL
  ///   that is not secure (HTM-9); what the decoding of ``SessionConfiguration`` and of the serializers throws.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    self.init()
    baseURL = try values.decodeIfPresent(URL.self, forKey: .baseURL)
    session = try values.decode(SessionConfiguration.self, forKey: .session)
    if let problem = policyProblem { throw problem }
    let request = try values.decodeIfPresent(
      ArchivedRequestSerializer.self, forKey: .requestSerializer)
    let response = try values.decodeIfPresent(
      ArchivedResponseSerializer.self, forKey: .responseSerializer)
    if let request { requestSerializer = request.serializer }
    if let response { responseSerializer = response.serializer }
  }

  /// Encodes the configuration.
  ///
  /// - Throws: What the encoder and the serializers throw.
  public func encode(to encoder: any Encoder) throws {
    let request = ArchivedRequestSerializer(requestSerializer)
    let response = ArchivedResponseSerializer(responseSerializer)
    let hasEncoder = (requestSerializer as? JSONRequestSerializer)?.hasOwnEncoder ?? false
    let unarchived: [(String, Bool)] = [
      ("requestSerializer", request == nil),
      ("requestSerializer.queryStringStyle", requestSerializer.http.queryStringStyle != .default),
      ("requestSerializer.makeEncoder", hasEncoder),
      ("responseSerializer", response == nil),
      ("decoder", (self.decoder as? JSONDecoder)?.hasDefaultSettings != true),
      ("completionQueue", completionQueue != nil),
    ]
    var session = session
    session.missingSettings += unarchived.filter(\.1).map(\.0)
    var values = encoder.container(keyedBy: Key.self)
    try values.encodeIfPresent(baseURL, forKey: .baseURL)
    try values.encodeIfPresent(request, forKey: .requestSerializer)
    try values.encodeIfPresent(response, forKey: .responseSerializer)
    try values.encode(session, forKey: .session)
  }
}

extension JSONDecoder {
  /// Whether the decoder decodes like a new one.
  fileprivate var hasDefaultSettings: Bool {
    guard case .deferredToDate = dateDecodingStrategy, case .base64 = dataDecodingStrategy,
      case .useDefaultKeys = keyDecodingStrategy, case .throw = nonConformingFloatDecodingStrategy
    else { return false }
    return !allowsJSON5 && !assumesTopLevelDictionary && userInfo.isEmpty
  }
}
