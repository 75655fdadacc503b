import Foundation
import NIOCore
import Testing

@testable import MartletTransport

/// Inputs are changed part by part.
struct MutationTests {
  private static let corpus = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Corpus")

  @Test(arguments: Target.allCases.filter { $0.structure != nil })
  func `the parts of an input, one after the other, are the input`(_ target: Target) throws {
    let structure = try #require(target.structure)
    let folder = Self.corpus.appendingPathComponent(target.rawValue)
    for file in try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    {
      let input = Array(try Data(contentsOf: file))
      #expect(Array(structure.parts(of: input).joined()) == input)
    }
    #expect(structure.parts(of: []).joined().isEmpty)
    #expect(!structure.additions.isEmpty)
    for addition in structure.additions {
      #expect(structure.changed(addition) { $0 } == addition)
    }
  }

  @Test func `frames state the length of what they contain, however they are changed`() throws {
    let structure = Structure.frames(after: 2)
    let frames = structure.additions.joined()
    #expect(structure.parts(of: [1, 2] + frames) == [[1, 2]] + structure.additions)
    for addition in structure.additions {
      for count in [0, 1, 100, 20_000] {
        let changed = structure.changed(addition) { _ in Array(repeating: 7, count: count) }
        #expect(structure.parts(of: [1, 2] + changed).count == 2)
        #expect(changed.count <= 9 + 16_384)
      }
    }
  }

  @Test func `texts have their length before them, and lines their end after them`() {
    let texts = Structure.texts([])
    let input: [UInt8] = [9, 0, 0, 0, 2, 0x61, 0x62, 0, 0, 0, 1, 0x63]
    let parts: [[UInt8]] = [[9], [0, 0, 0, 2, 0x61, 0x62], [0, 0, 0, 1, 0x63]]
    #expect(texts.parts(of: input) == parts)
    #expect(texts.changed(parts[1]) { $0 + [0x64] } == [0, 0, 0, 3, 0x61, 0x62, 0x64])
    let lines = Structure.lines([])
    #expect(lines.parts(of: Array("a\r\nb".utf8)) == [Array("a\r\n".utf8), [0x62]])
    #expect(lines.changed(Array("a\r\n".utf8)) { $0 + $0 } == Array("aa\r\n".utf8))
  }

  @Test func `an input is changed in each way, and never beyond the limit`() {
    var mutation = Mutation(
      structure: .lines(["new\n"]), limit: 12, random: SystemRandomNumberGenerator())
    let input = Array("a\nb\nc\n".utf8)
    var texts: Set<String> = []
    for _ in 0..<10_000 {
      let output = mutation.apply(to: input) { $0 + [0x21] }
      #expect(output.count <= 12)
      texts.insert(String(decoding: output, as: UTF8.self))
    }
    for text in [
      "new\na\nb\nc\n", "a\nc\n", "a\nb\na\nc\n", "b\na\nc\n", "a\nb!\nc\n", "a\nb\nc\n!",
    ] {
      #expect(texts.contains(text))
    }
  }
}
