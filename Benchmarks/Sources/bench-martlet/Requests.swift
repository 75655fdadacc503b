import Martlet

/// The same request `count` times, each made by the manager when it is needed.
struct Requests: Sequence, IteratorProtocol, Sendable {
  var api: HTTPSessionManager
  var path: String
  var count: Int

  mutating func next() -> Request? {
    guard count > 0 else { return nil }
    count -= 1
    return try? api.request(.get, path)
  }
}
