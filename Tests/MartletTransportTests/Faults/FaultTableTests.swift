import Foundation
import Testing

/// The table of all faults in `docs/faults.md`, and their number in the README.
///
/// With `MARTLET_FAULTS=write` in the environment, the test writes the table.
struct FaultTableTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  private static let begin = "<!-- The rest of this page is made by FaultTableTests. -->\n"

  @Test func `the page of faults has the table that the tests are made from`() throws {
    let page = Self.root.appendingPathComponent("docs/faults.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let start = try #require(text.range(of: Self.begin)).upperBound
    let written = text[..<start] + Self.table
    guard ProcessInfo.processInfo.environment["MARTLET_FAULTS"] != "write" else {
      return try written.write(to: page, atomically: true, encoding: .utf8)
    }
    #expect(text == written)
  }

  @Test func `the README has the number of faults`() throws {
    let text = try String(
      contentsOf: Self.root.appendingPathComponent("README.md"), encoding: .utf8)
    #expect(text.contains("\(Self.count) cases of servers and proxies that fail"))
  }

  /// A row of the table.
  private struct Row {
    let part: FaultPart
    let name: String
    let ways: [String]
    /// What the table calls them.
    let names: String
    let ending: FaultEnding
    let sendings: Int
  }

  private static let rows =
    FaultMatrixTests.faults.map { fault in
      let ways = fault.routes.map(\.rawValue)
      let isAll = ways.count == FaultRoute.allCases.count
      return Row(
        part: fault.part, name: fault.name, ways: ways,
        names: isAll ? "all of HTTP/1.1" : ways.joined(separator: "; "), ending: fault.ending,
        sendings: fault.sendings)
    }
    + FrameFaultTests.faults.map { fault in
      Row(
        part: fault.part, name: fault.name, ways: FrameRoute.allCases.map(\.rawValue),
        names: "all of HTTP/2", ending: fault.ending, sendings: fault.isSentAgain ? 2 : 1)
    }

  private static let count = rows.reduce(0) { $0 + $1.ways.count }

  private static var table: String {
    let parts = FaultPart.allCases.map { part in
      let rows = rows.filter { $0.part == part }
      let lines = rows.map { row in
        "| \(row.name) | \(row.names) | \(row.ending.text) | \(row.sendings) |\n"
      }
      return """

        ## The server misbehaves \(part.rawValue)

        | The server | on the route | The exchange ends with | sent at most |
        |---|---|---|--:|
        \(lines.joined())
        """
    }
    return "\nThere are \(rows.count) faults: \(count) cases with all routes.\n" + parts.joined()
  }
}
