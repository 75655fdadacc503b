/// Takes values by name.
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

/// Takes values in order.
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

/// Takes one value.
struct SingleParameter: SingleValueEncodingContainer {
  let encoder: ParameterEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil() { put(.null) }
  func encode(_ value: Bool) { put(.bool(value)) }
  func encode(_ value: String) { put(.string(value)) }
  func encode(_ value: Double) { put(.double(value)) }
  // By way of its text, so that 0.1 does not become 0.10000000149011612.
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
