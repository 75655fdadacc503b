import CLibFuzzer

@testable import MartletTesting

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
  let random = SeededGenerator(seed: UInt64(seed))
  var mutation = Mutation(structure: structure, limit: limit, random: random)
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
