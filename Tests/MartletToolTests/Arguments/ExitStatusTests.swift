import Martlet
import Testing

@testable import MartletTool

struct ExitStatusTests {
  @Test(arguments: [
    (200, false, 0), (204, true, 0), (302, false, 3), (302, true, 0), (404, false, 4),
    (404, true, 4), (503, false, 5), (999, false, 0),
  ])
  func `a checked status has its number`(status: Int, follows: Bool, number: Int32) {
    #expect(ExitStatus(checking: status, followsRedirects: follows).rawValue == number)
  }

  @Test func `a time-out is 2, too many redirects are 6, and other failures 1`() {
    #expect(ExitStatus(MartletError(.timedOut, "")).rawValue == 2)
    #expect(ExitStatus(MartletError(.tooManyRedirects, "")).rawValue == 6)
    #expect(ExitStatus(MartletError(.unknownHost, "")).rawValue == 1)
    #expect(ExitStatus(ToolFailure("")).rawValue == 1)
    #expect(ExitStatus(ToolFailure.usage("")).rawValue == 64)
    #expect(ExitStatus(CancellationError()).rawValue == 1)
  }
}
