public import EssentialFoundation

/// Asks several serializers in turn, and takes the first value.
///
///     let serializer = CompoundResponseSerializer(JSONResponseSerializer(), PropertyListResponseSerializer())
///
/// Each checks the response on its own, so that content types tell them apart. When none has a value, the
/// compound behaves as an `HTTPResponseSerializer` with its own status codes and content types, and the
/// value is the body as `Data` (RES-C4): a response of status 200 that no serializer could decode is a success.
/// So an empty body becomes empty data (RES-C7).
///
/// What a component finds wrong with a response is known only if it has a value all the same: the JSON of
/// a 404 comes with the error about the status (RES-C2).
public struct CompoundResponseSerializer<each Component: HTTPResponseSerializing>:
  HTTPResponseSerializing
{
  /// Which responses are acceptable when no component has a value: by default 200 to 299 with any
  /// content type.
  public var http = HTTPResponseSerializer()
  /// The serializers that are asked, in order (RES-C1).
  public let components: (repeat each Component)

  /// A serializer.
  ///
  /// - Parameter components: The serializers to ask, in order.
  public init(_ components: repeat each Component) {
    self.components = (repeat each components)
  }

  /// The first value that a component has, or else the body.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - data: Its body.
  /// - Returns: What the `object(of:)` of a component gives, or `Data`.
  /// - Throws: `MartletError`, with the value as its `object`, when a component had one in spite of the
  ///   status; or one of those of `HTTPResponseSerializer`.
  public func serialize(_ response: Response, data: Data) throws -> any Sendable {
    for component in repeat each components {
      if let object = try component.object(of: response, data: data) { return object }
    }
    return try http.serialize(response, data: data)
  }
}

extension HTTPResponseSerializing {
  /// The value, if there is one; what is wrong with a response that has none does not matter (RES-C3).
  ///
  /// - Throws: `MartletError` that has a value.
  fileprivate func object(of response: Response, data: Data) throws -> (any Sendable)? {
    do {
      return object(of: try serialize(response, data: data))
    } catch let error as MartletError where error.object != nil {
      throw error
    } catch {
      return nil
    }
  }
}

extension CompoundResponseSerializer: Equatable where repeat each Component: Equatable {
  /// Two serializers are equal when their components are, in order, and they accept alike.
  public static func == (left: Self, right: Self) -> Bool {
    for (one, other) in repeat (each left.components, each right.components) {
      guard one == other else { return false }
    }
    return left.http == right.http
  }
}

private enum Key: CodingKey {
  case http, components
}

extension CompoundResponseSerializer: Encodable where repeat each Component: Encodable {
  /// Encodes the components in order, and what is acceptable without them.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(http, forKey: .http)
    var list = container.nestedUnkeyedContainer(forKey: .components)
    for component in repeat each components { try list.encode(component) }
  }
}

extension CompoundResponseSerializer: Decodable where repeat each Component: Decodable {
  /// Decodes components of the types that are asked for.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    var list = try container.nestedUnkeyedContainer(forKey: .components)
    self.init(repeat try list.decode((each Component).self))
    http = try container.decode(HTTPResponseSerializer.self, forKey: .http)
  }
}
