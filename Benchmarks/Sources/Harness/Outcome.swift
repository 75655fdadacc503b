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

  /// The time within which a part of the requests, from 0 to 1, was answered, in microseconds.
  func percentile(_ part: Double) -> Double? {
    guard !latencies.isEmpty else { return nil }
    let index = Int(Double(latencies.count) * part)
    return latencies.sorted()[min(index, latencies.count - 1)] / .microseconds(1)
  }
}
