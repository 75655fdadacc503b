import Foundation
import MartletTesting

extension SeededGenerator {
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
