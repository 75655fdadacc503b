import Martlet
import Testing

@testable import MartletTool

struct ProgressBarTests {
  private func line(
    _ completed: Int64, of total: Int64?, after elapsed: Duration, width: Int = 72
  ) -> String {
    ProgressBar(width: width).line(
      TransferProgress(completed: completed, total: total, elapsed: elapsed))
  }

  @Test func `a line has percent, bar, bytes, rate and time left`() {
    #expect(
      line(4_200_000, of: 10_000_000, after: .seconds(2))
        == " 42 % ▕██████████▉               ▏ 4.2 MB of 10 MB · 2.1 MB/s · 3 s left")
  }

  @Test func `a line is as wide as it may be`() {
    for width in 40...200 {
      #expect(line(4_200_000, of: 10_000_000, after: .seconds(2), width: width).count <= width)
    }
    #expect(line(4_200_000, of: 10_000_000, after: .seconds(2), width: 100).count == 100)
  }

  @Test func `a narrow terminal gets no bar`() {
    #expect(
      line(4_200_000, of: 10_000_000, after: .seconds(2), width: 50)
        == " 42 % 4.2 MB of 10 MB · 2.1 MB/s · 3 s left")
    #expect(line(4_200_000, of: 10_000_000, after: .seconds(2), width: 7) == " 42 % 4")
  }

  @Test func `without a total there is nothing to fill`() {
    #expect(line(512, of: nil, after: .seconds(1)) == "512 B · 512 B/s")
  }

  @Test func `a rate is not guessed from the first bytes`() {
    #expect(line(512, of: nil, after: .milliseconds(1)) == "512 B")
  }

  @Test func `100 % is for what is complete`() {
    #expect(line(999_999, of: 1_000_000, after: .seconds(1)).hasPrefix(" 99 %"))
    let whole = line(1_000_000, of: 1_000_000, after: .seconds(1))
    #expect(whole.hasPrefix("100 % ▕█"))
    #expect(whole.hasSuffix("█▏ 1.0 MB of 1.0 MB · 1.0 MB/s"))
  }

  @Test(arguments: [
    (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (9949, "9.9 kB"), (9950, "10 kB"),
    (999_499, "999 kB"), (999_500, "1.0 MB"), (Int64.max, "9223 PB"),
  ])
  func `bytes are counted in decimal units`(bytes: Int64, text: String) {
    #expect(ByteCount.text(bytes) == text)
  }

  @Test(arguments: [
    (Duration.milliseconds(850), "850 ms"), (.milliseconds(1400), "1 s"),
    (.seconds(125), "2 min 5 s"),
    (.seconds(11_400), "3 h 10 min"), (.seconds(1e12), "over 99 h"), (.zero, "0 ms"),
  ])
  func `times are short`(time: Duration, text: String) {
    #expect(time.brief == text)
  }

  @Test func `the closing line sums the download up`() {
    let progress = TransferProgress(completed: 10_000_000, total: nil, elapsed: .seconds(2))
    #expect(
      Download.summary(progress, took: .seconds(3), name: "big.iso")
        == "Saved 10 MB as big.iso in 3 s (5.0 MB/s).")
  }
}
