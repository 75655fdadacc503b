public import EssentialFoundation

/// Tries several serializers in order, and returns the first value.
///
///     let serializer = CompoundResponseSerializer(JSONResponseSerializer(), PropertyListResponseSerializer())
///
/// Each serializer checks the response itself, so the content type selects the serializer. If none of them returns a
/// value, the compound serializer behaves like an `HTTPResponseSerializer` with its own status codes and content types.
/// The value is then the body as `Data` (RES-C4): a response of status 200 that no serializer could decode is a
/// success. An empty body becomes empty data (RES-C7), unless a component has a value for it, such as an empty text.
///
/// The error of a component is thrown only if the error has a value as its `object`: for example, the error about
/// status 404 with the JSON of the body (RES-C2).
public struct CompoundResponseSerializer<each Component: HTTPResponseSerializing>:
  HTTPResponseSerializing
{
  /// Which responses are acceptable when no component has a value. The default is 200 to 299 with any content type.
  public var http = HTTPResponseSerializer()
  /// The serializers, in the order in which they are tried (RES-C1).
  public let components: (repeat each Component)

  /// A serializer.
  ///
  /// - Parameter components: The serializers to try, in order.
  public init(_ components: repeat each Component) {
    self.components = (repeat each components)
  }

  /// Returns the first value of a component, or else the body.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - data: Its body.
  /// - Returns: The result of a component's `object(of:)`, or `Data`.
  /// - Throws: `MartletError` with the value as its `object`, when a component decoded a response of an unacceptable
  ///   status; or an error of `HTTPResponseSerializer`.
  public func serialize(_ response: Response, data: Data) throws -> any Sendable {
    for component in repeat each components {
      if let object = try component.object(of: response, data: data) { return object }
    }
    return try http.serialize(response, data: data)
  }
}

extension HTTPResponseSerializing {
  /// Returns the value, if there is one. An error without an `object` is ignored (RES-C3).
  ///
  /// - Throws: `MartletError` that has an `object`.
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
  /// Two serializers are equal when their components are equal, in order, and they accept the same responses.
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
  /// Encodes the components in order, and `http`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(http, forKey: .http)
    var list = container.nestedUnkeyedContainer(forKey: .components)
    for component in repeat each components { try list.encode(component) }
  }
}

extension CompoundResponseSerializer: Decodable where repeat each Component: Decodable {
  /// Decodes the components as the types `Component`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    var list = try container.nestedUnkeyedContainer(forKey: .components)
    self.init(repeat try list.decode((each Component).self))
    http = try container.decode(HTTPResponseSerializer.self, forKey: .http)
  }
}
