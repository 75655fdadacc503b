import ArgumentParser
import Testing

@testable import MartletTool

struct OutputPlanTests {
  private func plan(_ arguments: String..., isTerminal: Bool) throws -> OutputPlan {
    OutputPlan(try OutputOptions.parse(arguments), isTerminal: isTerminal)
  }

  @Test func `a terminal shows the whole response, a pipe its body`() throws {
    let terminal = try plan(isTerminal: true)
    #expect(terminal.showsHead && terminal.body == .pretty)
    let pipe = try plan(isTerminal: false)
    #expect(!pipe.showsHead && pipe.body == .bytes)
  }

  @Test func `options choose one part`() throws {
    let headers = try plan("--headers", isTerminal: false)
    #expect(headers.showsHead && headers.body == .nothing)
    let body = try plan("--body", isTerminal: true)
    #expect(!body.showsHead && body.body == .pretty)
  }

  @Test func `with verbose the head is among the events`() throws {
    #expect(try !plan("--verbose", isTerminal: true).showsHead)
  }

  @Test func `a dash is standard output, not a file`() throws {
    let plan = try plan("--output", "-", isTerminal: true)
    #expect(!plan.showsHead && plan.body == .bytes)
  }

  @Test func `a file takes the body alone`() throws {
    let file = try plan("--output", "a.bin", isTerminal: true)
    #expect(!file.showsHead && file.body == .file("a.bin"))
    #expect(try plan("--download", isTerminal: true).body == .download(nil))
    #expect(try plan("-d", "-o", "a.bin", isTerminal: true).body == .download("a.bin"))
  }
}
