import Benchmark

let benchmarks: @Sendable () -> Void = {
  Benchmark.defaultConfiguration = .init(
    metrics: [.wallClock, .peakMemoryResident], warmupIterations: 3,
    maxDuration: .seconds(5))
  queries()
  forms()
  decoding()
}
