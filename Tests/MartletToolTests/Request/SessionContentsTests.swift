import Foundation
import HTTPTypes
import Martlet
import MartletCore
import Testing

@testable import MartletTool

/// How the changes of several runs to a session are merged.
struct SessionContentsTests {
  private let here: Origin
  private let there: Origin

  init() throws {
    here = try Request(.get, "http://here/").origin
    there = try Request(.get, "https://there/").origin
  }

  private func cookie(_ name: String, _ value: String, expires: Date? = nil) -> Cookie {
    Cookie(
      name: name, value: value, domain: "h", expires: expires,
      created: Date(timeIntervalSince1970: 1_700_000_000))
  }

  private func contents(_ cookies: Cookie...) -> SessionContents {
    var contents = SessionContents()
    contents.cookies = cookies
    return contents
  }

  /// The cookies that stay, as pairs.
  private func merge(
    _ mine: SessionContents, _ theirs: SessionContents, since known: SessionContents
  ) -> [String] {
    mine.merged(with: theirs, since: known).cookies.map { "\($0.name)=\($0.value)" }
  }

  @Test func `what another run has added, changed and removed stays so`() {
    let known = contents(cookie("a", "1"), cookie("b", "1"), cookie("c", "1"))
    let theirs = contents(cookie("a", "1"), cookie("b", "2"), cookie("d", "1"))
    #expect(merge(known, theirs, since: known) == ["a=1", "b=2", "d=1"])
    #expect(merge(theirs, known, since: known) == ["a=1", "b=2", "d=1"])
  }

  @Test func `what both have changed is as the last one says`() {
    let known = contents(cookie("a", "1"), cookie("b", "1"))
    let mine = contents(cookie("a", "mine"), cookie("c", "mine"))
    let theirs = contents(cookie("a", "theirs"), cookie("b", "theirs"), cookie("c", "theirs"))
    #expect(merge(mine, theirs, since: known) == ["a=mine", "c=mine"])
  }

  @Test func `a cookie that was sent has not changed`() {
    let known = contents(cookie("a", "1"))
    var sent = known
    sent.cookies[0].lastUsed += 60
    #expect(merge(sent, contents(cookie("a", "2")), since: known) == ["a=2"])
    // When it was is kept all the same.
    #expect(
      sent.merged(with: known, since: known).cookies[0].lastUsed == sent.cookies[0].lastUsed)
  }

  @Test func `a cookie whose time has come is not one that was removed`() {
    let known = contents(cookie("a", "1", expires: Date() - 1))
    let later = contents(cookie("a", "1", expires: Date() + 3600))
    #expect(merge(contents(), later, since: known) == ["a=1"])
    #expect(merge(contents(), known, since: known) == [])
  }

  @Test func `servers are taken each for itself`() throws {
    var mine = SessionContents()
    mine[here].keep([.accept: "a/b"])
    var theirs = SessionContents()
    theirs[here].keep([.accept: "c/d"])
    theirs[there].identity = .bearer(token: "t")
    let merged = mine.merged(with: theirs, since: SessionContents())
    #expect(merged[here].headers == [["Accept", "a/b"]])
    #expect(merged[there].identity == .bearer(token: "t"))
    #expect(mine.merged(with: theirs, since: mine)[here].headers == [["Accept", "c/d"]])
  }

  @Test func `a file that has become something else meanwhile stays as it is`() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "martlet-\(UUID())")
    defer { try? FileManager.default.removeItem(at: url) }
    let file = SessionFile(path: url.path)
    let known = try file.read()
    try Data("mine".utf8).write(to: url)
    let failure = #expect(throws: ToolFailure.self) { try file.save(known, since: known) }
    #expect(failure?.message.contains("is not a martlet session") == true)
    #expect(try String(contentsOf: url, encoding: .utf8) == "mine")
  }
}
