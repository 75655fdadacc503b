import Testing

@testable import MartletTool

struct BodySourceTests {
  @Test func `standard input is the body when it has something and the command line has none`()
    throws
  {
    #expect(try BodySource.choose(hasItems: false, input: .filled) == .standardInput)
    #expect(try BodySource.choose(hasItems: false, input: .empty) == .nothing)
    #expect(try BodySource.choose(hasItems: false, input: .unavailable) == .nothing)
  }

  @Test func `a body of the command line wins over a standard input that is empty or a terminal`()
    throws
  {
    #expect(try BodySource.choose(hasItems: true, input: .empty) == .items)
    #expect(try BodySource.choose(hasItems: true, input: .unavailable) == .items)
  }

  @Test func `both at once are refused`() {
    let sentence =
      "There is a body on the command line and another on standard input: send one of them, or give --ignore-stdin."
    #expect(throws: ToolFailure.usage(sentence)) {
      try BodySource.choose(hasItems: true, input: .filled)
    }
  }
}
