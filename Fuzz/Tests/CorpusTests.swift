import Foundation
import Testing

/// What fuzzing begins with, and what it has found, goes through its target without a trap, an endless loop or a broken
/// promise.
struct CorpusTests {
  private static let corpus = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Corpus")

  @Test(arguments: Target.allCases)
  func `every input of the corpus keeps the target's promises`(_ target: Target) throws {
    let files = try FileManager.default.contentsOfDirectory(
      at: Self.corpus.appendingPathComponent(target.rawValue), includingPropertiesForKeys: nil)
    #expect(!files.isEmpty)
    for file in files { try? target.run(try Data(contentsOf: file)) }
  }
}
