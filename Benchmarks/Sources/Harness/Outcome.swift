/// The results of the requests of a job.
struct Outcome {
  /// How many bytes were received, or sent, or users decoded.
  var bytes: Int
  /// How long each request took, where that was recorded.
  var latencies: [Duration] = []

  mutating func add(_ other: Outcome) {
    bytes += other.bytes
    latencies += other.latencies
  }
}

extension Duration {
  /// The duration in whole microseconds.
  var microseconds: Int { Int(self / .microseconds(1)) }
}
