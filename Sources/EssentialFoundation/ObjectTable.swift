/// A small table from objects to values. The first value needs no allocation.
///
/// It is public for the same reason as `Locked`.
public struct ObjectTable<Value: Sendable>: Sendable {
  @usableFromInline var first: (key: ObjectIdentifier, value: Value)?
  @usableFromInline var others: [(key: ObjectIdentifier, value: Value)] = []

  /// A table without values.
  @inlinable
  public init() {}

  /// The value of an object.
  @inlinable
  public subscript(object: AnyObject) -> Value? {
    let key = ObjectIdentifier(object)
    if let first, first.key == key { return first.value }
    return others.first { $0.key == key }?.value
  }

  /// Adds the value of an object that has none.
  @inlinable
  public mutating func add(_ value: Value, of object: AnyObject) {
    let entry = (ObjectIdentifier(object), value)
    if first == nil { first = entry } else { others.append(entry) }
  }

  /// Removes and returns the value of an object.
  @inlinable
  public mutating func remove(_ object: AnyObject) -> Value? {
    let key = ObjectIdentifier(object)
    if let entry = first, entry.key == key {
      first = nil
      return entry.value
    }
    return others.firstIndex { $0.key == key }.map { others.remove(at: $0).value }
  }

  /// Removes and returns all values.
  @inlinable
  public mutating func removeAll() -> [Value] {
    defer { self = ObjectTable() }
    return (first.map { [$0.value] } ?? []) + others.map(\.value)
  }
}
