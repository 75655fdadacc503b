/// A value in an object, which the copies of its owner share. Copying one reference is cheaper than copying many.
@usableFromInline
package final class Shared<Value: Sendable>: Sendable {
  @usableFromInline package let value: Value

  /// An object with a value.
  @inlinable
  package init(_ value: Value) {
    self.value = value
  }
}
