import Foundation
import Testing

/// What fuzzing begins with, and what it has found, goes through its target without a trap, an endless loop or a broken
/// promise.
struct CorpusTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
  private static let corpus = folder.appendingPathComponent("Corpus")

  @Test(arguments: Target.allCases)
  func `every input of the corpus keeps the target's promises`(_ target: Target) throws {
    let files = try FileManager.default.contentsOfDirectory(
      at: Self.corpus.appendingPathComponent(target.rawValue), includingPropertiesForKeys: nil)
    #expect(!files.isEmpty)
    for file in files { try? target.run(try Data(contentsOf: file)) }
  }

  @Test func `the table of the documentation has half an hour for each target`() throws {
    let page = Self.folder.appendingPathComponent("../docs/fuzzing.md")
    let rows = try String(contentsOf: page, encoding: .utf8).split(separator: "\n").compactMap {
      $0.wholeMatch(of: /\| `([a-z0-9-]+)` \| ([0-9]+) \|.*/)
    }
    #expect(rows.map { String($0.1) } == Target.allCases.map(\.rawValue).sorted())
    #expect(rows.filter { (Int($0.2) ?? 0) < 30 }.map(\.1) == [])
  }
}
