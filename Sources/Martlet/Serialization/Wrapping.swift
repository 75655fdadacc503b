/// An optional, whatever it wraps.
protocol Wrapping {
  var wrapped: Any? { get }
}

extension Optional: Wrapping {
  var wrapped: Any? { map { $0 } }
}
