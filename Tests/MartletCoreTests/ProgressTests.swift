import MartletCore
import Testing

/// How far a transfer has come.
struct ProgressTests {
  @Test func `fraction, rate and time left follow from bytes and time`() {
    let progress = TransferProgress(completed: 250, total: 1000, elapsed: .seconds(5))
    #expect(progress.fractionCompleted == 0.25)
    #expect(progress.bytesPerSecond == 50)
    #expect(progress.timeRemaining == .seconds(15))
  }

  @Test func `without a total the fraction stays 0 and the time left is unknown`() {
    let progress = TransferProgress(completed: 250, elapsed: .seconds(5))
    #expect(progress.fractionCompleted == 0)
    #expect(progress.timeRemaining == nil)
    #expect(progress.bytesPerSecond == 50)
  }

  @Test func `an empty transfer is complete, and nothing has a rate before it begins`() {
    #expect(TransferProgress(total: 0).fractionCompleted == 1)
    #expect(TransferProgress(total: 10).bytesPerSecond == nil)
  }

  @Test func `the rate of a complete transfer does not fall any more`() async throws {
    let call = Call()
    call.report(.bodySent(bytes: 500, total: 1000))
    try await Task.sleep(for: .milliseconds(2))
    let half = call.uploadTransfer
    try await Task.sleep(for: .milliseconds(2))
    #expect(call.uploadTransfer.elapsed > half.elapsed)
    call.report(.bodySent(bytes: 500, total: 1000))
    let whole = call.uploadTransfer
    try await Task.sleep(for: .milliseconds(2))
    #expect(call.uploadTransfer == whole)
    #expect(whole.timeRemaining == .zero)
  }

  @Test func `a transfer that comes at once is not as fast as the clock`() async throws {
    let call = Call()
    call.report(.bodySent(bytes: 1_000_000, total: 1_000_000))
    try await Task.sleep(for: .milliseconds(2))
    #expect(try #require(call.uploadTransfer.bytesPerSecond) <= 500_000_000)
  }
}
