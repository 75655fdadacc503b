import EssentialFoundation
import MartletCore
import NIOCore
import Testing

/// The progress of a transfer, as an application sees it that looks at it every few milliseconds.
final class TransferSamples: Sendable {
  /// The progress at a time.
  struct Sample {
    let time: NIODeadline
    let progress: TransferProgress

    /// When the transfer ends, if the time that is left is right.
    var predictedEnd: NIODeadline? { progress.timeRemaining.map { time + TimeAmount($0) } }
  }

  private let samples = Locked<[Sample]>([])
  private let change = Locked<NIODeadline?>(nil)
  private let sampler: Task<Void, Never>

  /// - Parameters:
  ///   - call: The call, which has not begun.
  ///   - progress: Its progress in one direction.
  init(of call: Call, _ progress: @escaping @Sendable (Call) -> TransferProgress) {
    sampler = Task { [samples] in
      while !Task.isCancelled {
        let sample = Sample(time: .now(), progress: progress(call))
        samples.withLock { $0.append(sample) }
        try? await Task.sleep(for: .milliseconds(5))
      }
    }
    call.observe([.progress, .messages]) { [change] _ in change.withLock { $0 = .now() } }
  }

  deinit { sampler.cancel() }

  /// All samples so far. No more are taken.
  var all: [Sample] {
    sampler.cancel()
    return samples.current
  }

  /// When bytes, the end of the request or a head were last reported.
  var lastChange: NIODeadline? { change.current }

  /// The first sample after a time.
  func first(after time: NIODeadline) throws -> Sample {
    try #require(all.first { $0.time >= time })
  }
}
