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
public struct CompoundResponseSerializer: HTTPResponseSerializing {
  /// Which responses are acceptable when no component has a value. The default is 200 to 299 with any content type.
  public var http = HTTPResponseSerializer()
  /// The serializers, in the order in which they are tried (RES-C1).
  public var components: [any HTTPResponseSerializing]

  /// A serializer.
  ///
  /// - Parameter components: The serializers to try, in order.
  public init(_ components: [any HTTPResponseSerializing]) {
    self.components = components
  }

  /// A serializer.
  ///
  /// - Parameter components: The serializers to try, in order.
  public init(_ components: any HTTPResponseSerializing...) {
    self.init(components)
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
    for component in components {
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

/// Serializers are equal when their components are equal, in order, and they accept the same responses. A component whose
/// type is not `Equatable` equals no other.
extension CompoundResponseSerializer: Equatable {
  /// Whether components and accepted responses are equal.
  public static func == (left: Self, right: Self) -> Bool {
    left.http == right.http && left.components.count == right.components.count
      && zip(left.components, right.components).allSatisfy { one, other in
        (one as? any Equatable)?.isEqual(to: other) ?? false
      }
  }
}

extension Equatable {
  fileprivate func isEqual(to other: Any) -> Bool { other as? Self == self }
}

/// Encodes the components in order, and `http`. The types of the components must be `Codable`, and neither private nor
/// local. The program that decodes them must have these types, too.
extension CompoundResponseSerializer: Codable {
  private enum Key: CodingKey {
    case http, components
  }

  /// Decodes a serializer.
  ///
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    components = try values.decode([ArchivedResponseSerializer].self, forKey: .components)
      .map(\.serializer)
    http = try values.decode(HTTPResponseSerializer.self, forKey: .http)
  }

  /// Encodes the serializer.
  ///
  /// - Throws: `EncodingError` for a component that is not `Codable`, or what the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(http, forKey: .http)
    let archived = try components.map { component in
      if let archived = ArchivedResponseSerializer(component) { return archived }
      throw EncodingError.invalidValue(
        component,
        .init(
          codingPath: encoder.codingPath,
          debugDescription: "“\(type(of: component))” is not Codable, or is private."))
    }
    try values.encode(archived, forKey: .components)
  }
}
