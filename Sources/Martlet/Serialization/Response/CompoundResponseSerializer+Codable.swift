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
