public import Foundation
import MartletCore

extension HTTPSessionManager {
  /// What a manager is made with: serializers, and everything of ``SessionConfiguration``.
  @dynamicMemberLookup
  public struct Configuration: Sendable {
    /// Builds requests. The default is ``HTTPRequestSerializer``.
    public var requestSerializer: any HTTPRequestSerializing = HTTPRequestSerializer()
    /// Checks responses and makes objects of them. The default is ``JSONResponseSerializer``.
    public var responseSerializer: any HTTPResponseSerializing = JSONResponseSerializer()
    /// Decodes typed results. The default is a plain `JSONDecoder`.
    public var decoder: any BodyDecoding = JSONDecoder()
    /// Where closures are called. The default, `nil`, is the main queue.
    public var completionQueue: DispatchQueue?
    /// How the session connects, waits, and treats what comes back.
    ///
    /// Its parts are reached without naming it: `$0.timeouts.total = .seconds(30)`.
    public var session = SessionConfiguration()

    /// A configuration with the documented defaults.
    public init() {}

    /// Reaches the parts of `session`.
    public subscript<Value>(dynamicMember part: WritableKeyPath<SessionConfiguration, Value>)
      -> Value
    {
      get { session[keyPath: part] }
      set { session[keyPath: part] = newValue }
    }
  }
}
