import Testing

@testable import MartletTool

struct BodySourceTests {
  @Test func `standard input is the body when it has something and there are no fields`() throws {
    #expect(try BodySource.choose(hasFields: false, input: .filled) == .standardInput)
    #expect(try BodySource.choose(hasFields: false, input: .empty) == .nothing)
    #expect(try BodySource.choose(hasFields: false, input: .unavailable) == .nothing)
  }

  @Test func `fields win over a standard input that is empty or a terminal`() throws {
    #expect(try BodySource.choose(hasFields: true, input: .empty) == .fields)
    #expect(try BodySource.choose(hasFields: true, input: .unavailable) == .fields)
  }

  @Test func `both at once are refused`() {
    let sentence =
      "There are fields on the command line and a body on standard input: send one of them, or give --ignore-stdin."
    #expect(throws: ToolFailure.usage(sentence)) {
      try BodySource.choose(hasFields: true, input: .filled)
    }
  }
}
