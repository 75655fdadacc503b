import EssentialFoundation

/// Converts any `Encodable` value into a tree of parameters, for queries and forms.
///
/// A `URL` becomes its text, a `Decimal` its digits. Dates, data and sets keep their kind.
struct ParameterEncoder: Encoder {
  let node: ParameterNode
  let codingPath: [any CodingKey]
  /// How declared names are written.
  let keys: ParameterEncoding.Keys
  /// Whether the names at this level are declared by a type, and are not the keys of a dictionary. With `.asDeclared`,
  /// it is always true, because the names are not changed.
  var hasDeclaredNames = true
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Returns the parameters that `value` encodes to.
  ///
  /// - Throws: `MartletError` with code `.invalidParameters`, whose `underlying` is the error that the value has
  ///   thrown.
  static func encode(_ value: any Encodable, keys: ParameterEncoding.Keys) throws(MartletError)
    -> Parameters
  {
    let node = ParameterNode()
    do {
      try ParameterEncoder(node: node, codingPath: [], keys: keys).encode(value)
    } catch {
      throw .parametersNotEncodable(as: type(of: value), underlying: error)
    }
    return node.parameters
  }

  /// Puts `value` into the node.
  func encode<Value: Encodable>(_ value: Value) throws {
    if let leaf = leaf(value) {
      node.content = .leaf(leaf)
      return
    }
    var encoder = self
    encoder.hasDeclaredNames = keys == .asDeclared || !(value is any DictionaryOfEncodables)
    try value.encode(to: encoder)
    // Never set to false: a type that encodes only a set or dictionary shares the node with it.
    switch node.content {
    case .unkeyed where value is any SetOfEncodables: node.isUnordered = true
    case .keyed where value is any DictionaryOfEncodables: node.isUnordered = true
    case .unset, .leaf, .unkeyed, .keyed: break
    }
  }

  /// Returns the parameters for a type with a special encoding, `nil` for any other type. Types are compared first,
  /// because a cast is slower.
  private func leaf<Value>(_ value: Value) -> Parameters? {
    if Value.self == URL.self { return (value as? URL).map { .string($0.absoluteString) } }
    if Value.self == Date.self { return (value as? Date).map { .date($0) } }
    if Value.self == Data.self { return (value as? Data).map { .data($0) } }
    if Value.self == Decimal.self { return (value as? Decimal).map { .string($0.description) } }
    if Value.self == Parameters.self { return value as? Parameters }
    return nil
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    node.becomeKeyed()
    return KeyedEncodingContainer(KeyedParameters<Key>(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.becomeUnkeyed()
    return UnkeyedParameters(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    SingleParameter(encoder: self)
  }

  /// An encoder for the value under `key`.
  func child(_ key: any CodingKey) -> ParameterEncoder {
    let name = hasDeclaredNames ? keys.written(key.stringValue) : key.stringValue
    return ParameterEncoder(node: node.child(name), codingPath: codingPath + [key], keys: keys)
  }

  /// An encoder for the next value of an array.
  func nextChild() -> ParameterEncoder {
    let key = ParameterKey(index: node.count)
    return ParameterEncoder(node: node.nextChild(), codingPath: codingPath + [key], keys: keys)
  }
}

/// A key that no type declares: an index, or `super`.
struct ParameterKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  static let `super` = ParameterKey(stringValue: "super")

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    self.init(index: intValue)
  }

  init(index: Int) {
    stringValue = String(index)
    intValue = index
  }
}

/// A `Set` of any `Encodable` elements.
private protocol SetOfEncodables {}
extension Set: SetOfEncodables where Element: Encodable {}

/// A `Dictionary` with strings as keys.
private protocol DictionaryOfEncodables {}
extension Dictionary: DictionaryOfEncodables where Key == String, Value: Encodable {}

/// Encodes values by name.
struct KeyedParameters<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: ParameterEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil(forKey key: Key) {
    encoder.child(key).node.content = .leaf(.null)
  }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    try encoder.child(key).encode(value)
  }

  func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type, forKey key: Key)
    -> KeyedEncodingContainer<NestedKey>
  {
    encoder.child(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder.child(key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder {
    encoder.child(ParameterKey.super)
  }

  func superEncoder(forKey key: Key) -> any Encoder {
    encoder.child(key)
  }
}

/// Encodes values in order.
struct UnkeyedParameters: UnkeyedEncodingContainer {
  let encoder: ParameterEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int { encoder.node.count }

  func encodeNil() {
    encoder.nextChild().node.content = .leaf(.null)
  }

  func encode<T: Encodable>(_ value: T) throws {
    try encoder.nextChild().encode(value)
  }

  func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type)
    -> KeyedEncodingContainer<NestedKey>
  {
    encoder.nextChild().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    encoder.nextChild().unkeyedContainer()
  }

  func superEncoder() -> any Encoder {
    encoder.nextChild()
  }
}

/// Encodes one value.
struct SingleParameter: SingleValueEncodingContainer {
  let encoder: ParameterEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil() { put(.null) }
  func encode(_ value: Bool) { put(.bool(value)) }
  func encode(_ value: String) { put(.string(value)) }
  func encode(_ value: Double) { put(.double(value)) }
  // Converted by way of its text, so that 0.1 does not become 0.10000000149011612.
  func encode(_ value: Float) { put(.double(Double(value.description) ?? Double(value))) }
  func encode(_ value: Int) { put(.integer(Int64(value))) }
  func encode(_ value: Int8) { put(.integer(Int64(value))) }
  func encode(_ value: Int16) { put(.integer(Int64(value))) }
  func encode(_ value: Int32) { put(.integer(Int64(value))) }
  func encode(_ value: Int64) { put(.integer(value)) }
  func encode(_ value: UInt) { put(.unsigned(UInt64(value))) }
  func encode(_ value: UInt8) { put(.unsigned(UInt64(value))) }
  func encode(_ value: UInt16) { put(.unsigned(UInt64(value))) }
  func encode(_ value: UInt32) { put(.unsigned(UInt64(value))) }
  func encode(_ value: UInt64) { put(.unsigned(value)) }
  func encode<T: Encodable>(_ value: T) throws { try encoder.encode(value) }

  private func put(_ value: Parameters) {
    encoder.node.content = .leaf(value)
  }
}
