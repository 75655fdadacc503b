/// Leaves out of a random program what its failure does not need.
///
/// - Parameters:
///   - program: A program that fails.
///   - isolation: The actor of the caller.
///   - fails: Whether a program fails.
/// - Returns: A program that fails, from which no single step can be left out.
package func shrunk<Step>(
  _ program: [Step], isolation: isolated (any Actor)? = #isolation,
  fails: ([Step]) async -> Bool
) async -> [Step] {
  var program = program
  var size = max(program.count / 2, 1)
  while true {
    var start = 0
    let before = program.count
    while start < program.count {
      var shorter = program
      shorter.removeSubrange(start..<min(start + size, program.count))
      if await fails(shorter) { program = shorter } else { start += size }
    }
    if size == 1, program.count == before { return program }
    size = max(size / 2, 1)
  }
}
