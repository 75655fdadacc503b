/// Changes an input part by part.
struct Mutation<Random: RandomNumberGenerator> {
  let structure: Structure
  /// The most bytes of an input.
  let limit: Int
  var random: Random

  /// Changes an input once.
  ///
  /// - Parameters:
  ///   - input: The input.
  ///   - change: Changes some bytes, as libFuzzer does.
  /// - Returns: An input whose parts are whole, unless it is cut off at the limit.
  mutating func apply(to input: [UInt8], changingBytes change: ([UInt8]) -> [UInt8]) -> [UInt8] {
    var parts = structure.parts(of: input)
    let place = Int.random(in: 0...parts.count, using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: insertAddition(into: &parts, at: place)
    case 1 where place < parts.count: parts.remove(at: place)
    case 2 where place < parts.count: parts.insert(parts[place], at: otherPlace(in: parts))
    case 3 where place < parts.count: parts.swapAt(place, otherPlace(in: parts.dropLast()))
    case 4 where place < parts.count: parts[place] = structure.changed(parts[place], by: change)
    default: return Array(change(input).prefix(limit))
    }
    return Array(parts.joined().prefix(limit))
  }

  private mutating func insertAddition(into parts: inout [[UInt8]], at place: Int) {
    guard let addition = structure.additions.randomElement(using: &random) else { return }
    parts.insert(addition, at: place)
  }

  private mutating func otherPlace(in parts: some Collection<[UInt8]>) -> Int {
    Int.random(in: 0...parts.count, using: &random)
  }
}
