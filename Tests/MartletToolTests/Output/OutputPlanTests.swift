import ArgumentParser
import Martlet
import Testing

@testable import MartletTool

struct OutputPlanTests {
  private func plan(_ arguments: String..., isTerminal: Bool) throws -> OutputPlan {
    OutputPlan(try OutputOptions.parse(arguments), isTerminal: isTerminal)
  }

  @Test func `a terminal shows the whole response, a pipe its body`() throws {
    let terminal = try plan(isTerminal: true)
    #expect(terminal.printed == [.responseHead, .responseBody] && terminal.form == .reading)
    let pipe = try plan(isTerminal: false)
    #expect(pipe.printed == .responseBody && pipe.form == .bytes && pipe.body == .printed)
  }

  @Test func `options choose one part`() throws {
    let headers = try plan("--headers", isTerminal: false)
    #expect(headers.printed == .responseHead && headers.body == .nothing)
    let body = try plan("--body", isTerminal: true)
    #expect(body.printed == .responseBody && body.form == .reading)
  }

  @Test func `with verbose the head is among the events`() throws {
    #expect(try plan("--verbose", isTerminal: true).printed == .responseBody)
  }

  @Test func `a dash is standard output, not a file`() throws {
    let plan = try plan("--output", "-", isTerminal: true)
    #expect(plan.printed == .responseBody && plan.form == .bytes)
  }

  @Test func `a file takes the body alone`() throws {
    let file = try plan("--output", "a.bin", isTerminal: true)
    #expect(file.printed == [] && file.body == .file("a.bin"))
    #expect(try plan("--download", isTerminal: true).body == .download(nil))
    #expect(try plan("-d", "-o", "a.bin", isTerminal: true).body == .download("a.bin"))
  }

  @Test func `--print says all that is printed`() throws {
    let all = try plan("-p", "HBhbm", isTerminal: false)
    #expect(all.printed == [.request, .responseHead, .responseBody, .timing])
    #expect(all.body == .printed && all.form == .bytes)
    #expect(try plan("--print=h", isTerminal: true).body == .nothing)
    #expect(try plan("-phb", "-v", isTerminal: true).printed == [.responseHead, .responseBody])
    let saved = try plan("-p", "Hh", "-o", "x", isTerminal: true)
    #expect(saved.printed == [.requestHead, .responseHead] && saved.body == .file("x"))
  }

  @Test func `offline there is only the request to print`() throws {
    #expect(try plan("--offline", isTerminal: false).printed == .request)
    #expect(try plan("--offline", "-p", "B", isTerminal: true).printed == .requestBody)
  }

  @Test func `a body that was read while it was sent cannot be printed`() throws {
    let once = RequestBody.producer(length: nil, isReplayable: false) { _ in }
    #expect(throws: ToolFailure.self) { try plan("-p", "B", isTerminal: false).check(once) }
    try plan("-p", "H", isTerminal: false).check(once)
    try plan("-p", "B", isTerminal: false).check(.text("x"))
  }
}
