import Testing

@testable import MartletTransport

/// The table of a pool's connections.
@Suite(.timeLimit(.minutes(1)))
struct NumberedTableTests {
  @Test func `it has what a dictionary has, in the order of the numbers`() {
    var (table, model) = (NumberedTable<String>(), [Int: String]())
    for step in 0..<10_000 {
      let mixed = step &* 2_654_435_761 >> 16
      let number = mixed % 41
      switch mixed / 41 % 3 {
      case 0: (table[number], model[number]) = ("\(step)", "\(step)")
      case 1: (table[number], model[number]) = (nil, nil)
      default: #expect(table.removeValue(forKey: number) == model.removeValue(forKey: number))
      }
      #expect(table[number] == model[number])
      #expect(table.count == model.count && table.isEmpty == model.isEmpty)
    }
    #expect(table.entries.map(\.number) == model.keys.sorted())
    #expect(table.values == model.sorted { $0.key < $1.key }.map(\.value))
  }
}
