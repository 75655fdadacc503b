import Testing

@Suite(.timeLimit(.minutes(5)))
struct DemoTests {
  @Test func `every step of the demo does what it should`() async throws {
    let run = try await ToolRun("demo")
    let lines = run.text.split(separator: "\n")
    #expect(run.status == 0)
    #expect(lines.dropLast().allSatisfy { $0.hasPrefix("✓ ") }, "\(run.text)")
    #expect(
      lines.contains {
        $0.hasPrefix("✓ TLS, refused")
          && $0.hasSuffix(
            "  The certificate of “127.0.0.1” was not issued by a trusted authority: you might be connecting to a server that is pretending to be “127.0.0.1”."
          )
      })
    #expect(lines.last?.hasPrefix("All 10 steps passed in ") == true)
  }
}
