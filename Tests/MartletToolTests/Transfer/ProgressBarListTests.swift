import Martlet
import Testing

@testable import MartletTool

struct ProgressBarListTests {
  @Test func `each transfer has a line, with its name before the bar`() {
    let half = TransferProgress(completed: 50, total: 100)
    let lines = ProgressBarList.lines(
      ["a.iso", "birds.zip"], [half, TransferProgress()], width: 50)
    #expect(lines == ["a.iso      50 % ▕█████████         ▏ 50 B of 100 B", "birds.zip 0 B"])
  }

  @Test func `a long name loses its beginning`() {
    let name = String(repeating: "x", count: 40) + ".iso"
    let lines = ProgressBarList.lines([name], [TransferProgress()], width: 80)
    #expect(lines == ["…\(String(repeating: "x", count: 19)).iso 0 B"])
  }

  @Test func `no line is longer than the terminal`() {
    let lines = ProgressBarList.lines(
      ["a rather long name.iso"], [TransferProgress(completed: 50, total: 100)], width: 10)
    #expect(lines == ["a rather l"])
  }
}
