import Foundation

/// Random numbers that are the same in every run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  /// The data with up to eight other bytes, most near the beginning, and sometimes cut off.
  mutating func mutated(_ data: Data) -> Data {
    var bytes = [UInt8](data)
    for _ in 0..<Int.random(in: 1...8, using: &self) {
      let end = Bool.random(using: &self) ? bytes.count : min(bytes.count, 64)
      bytes[Int.random(in: 0..<end, using: &self)] = UInt8.random(in: .min ... .max, using: &self)
    }
    let isCut = Int.random(in: 0..<4, using: &self) == 0
    return Data(isCut ? bytes.prefix(Int.random(in: 0..<bytes.count, using: &self)) : bytes[...])
  }
}
