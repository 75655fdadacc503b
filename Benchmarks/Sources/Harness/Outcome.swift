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

extension [Duration] {
  /// The time within which a part of these sorted times is, from 0 to 1, in microseconds; `nil` if there are none.
  func microseconds(within part: Double) -> Double? {
    guard !isEmpty else { return nil }
    return self[Swift.min(Int(Double(count) * part), count - 1)] / .microseconds(1)
  }
}
