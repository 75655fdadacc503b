import CLibFuzzer

/// Changes an input of the target by its structure, if it has one. libFuzzer calls this function by its name.
///
/// - Parameters:
///   - data: The input, with room for `limit` bytes.
///   - size: The number of its bytes.
///   - limit: The most bytes that it may have.
///   - seed: Decides the change.
/// - Returns: The number of bytes of the changed input.
@_cdecl("LLVMFuzzerCustomMutator")
public func customMutator(
  _ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ limit: Int, _ seed: UInt32
) -> Int {
  guard let structure = Fuzz.target?.structure else { return LLVMFuzzerMutate(data, size, limit) }
  var mutation = Mutation(structure: structure, limit: limit, random: SplitMix(state: UInt64(seed)))
  let input = Array(UnsafeBufferPointer(start: data, count: size))
  let output = mutation.apply(to: input) { bytes in
    // An empty input cannot be changed in place.
    var changed = bytes + Array(repeating: 0, count: max(64, bytes.count))
    let room = changed.count
    let count = changed.withUnsafeMutableBufferPointer {
      $0.baseAddress.map { LLVMFuzzerMutate($0, bytes.count, room) } ?? 0
    }
    return Array(changed.prefix(count))
  }
  _ = UnsafeMutableBufferPointer(start: data, count: limit).update(fromContentsOf: output)
  return output.count
}

/// SplitMix64: random numbers that a seed decides.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
