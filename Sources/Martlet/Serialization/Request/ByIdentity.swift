/// A function that equals itself and its copies, and no other: what functions do cannot be compared.
final class ByIdentity<Function: Sendable>: Sendable, Equatable {
  let call: Function

  init(_ call: Function) {
    self.call = call
  }

  static func == (left: ByIdentity, right: ByIdentity) -> Bool {
    left === right
  }
}
