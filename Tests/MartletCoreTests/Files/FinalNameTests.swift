import Foundation
import NIOCore
import Testing

@testable import MartletCore
import SystemPackage

/// What a complete file replaces, what it does not, and what it keeps of what it replaces.
@Suite(.timeLimit(.minutes(5)))
final class FinalNameTests {
  private let folder: URL
  private var name: URL { folder.appendingPathComponent("name") }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  /// A complete file without its name.
  private func partial(_ text: String = "new", mode: mode_t = 0o666) throws -> URL {
    let url = name.newPartialURL
    try OpenFile(
      url, options: [.create, .exclusiveCreate], permissions: FilePermissions(rawValue: mode)
    ).write(.init(string: text))
    return url
  }

  private func make(_ url: URL, _ text: String = "old", mode: mode_t = 0o644) throws {
    try Data(text.utf8).write(to: url)
    try #require(chmod(url.path, mode) == 0)
  }

  private func access(_ url: URL) throws -> FileAccess {
    try #require(url.statusOfName).access
  }

  private func text(_ url: URL) throws -> String { try String(contentsOf: url, encoding: .utf8) }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  // MARK: Replacing

  @Test(arguments: [0o600, 0o640, 0o644, 0o666, 0o755, 0o777] as [mode_t])
  func `a file that is replaced leaves its mode`(mode: mode_t) throws {
    try make(name, mode: mode)
    try FinalName(name, replacesExisting: true).moveIntoPlace(from: partial())
    #expect(try access(name).permissions.rawValue == UInt32(mode))
    #expect(try text(name) == "new")
    #expect(try names == ["name"])
  }

  @Test func `a program does not go on to run as its owner`() throws {
    try make(name, mode: 0o4755)
    try FinalName(name, replacesExisting: true).moveIntoPlace(from: partial())
    let status = try FileManager.default.attributesOfItem(atPath: name.path)
    #expect(status[.posixPermissions] as? Int == 0o755)
  }

  @Test(.enabled(if: geteuid() == 0, "Only root gives files away."))
  func `a file that is replaced leaves its owner and its group`() throws {
    try make(name, mode: 0o640)
    try #require(chown(name.path, 1234, 5678) == 0)
    try FinalName(name, replacesExisting: true).moveIntoPlace(from: partial())
    #expect(
      try access(name)
        == FileAccess(
          owner: 1234, group: 5678, permissions: [.ownerReadWrite, .groupRead]))
  }

  @Test func `what is written for a file that is replaced is for its owner alone until then`()
    throws
  {
    #expect(FinalName(name, replacesExisting: true).partialPermissions.rawValue == 0o666)
    try make(name)
    #expect(FinalName(name, replacesExisting: true).partialPermissions.rawValue == 0o600)
    let file = PartialFile(FileDestination(url: name))
    try file.write([.init(string: "new")])
    let hidden = try #require(try names.first { $0.hasPrefix(".martlet-") })
    #expect(try access(folder.appendingPathComponent(hidden)).permissions == .ownerReadWrite)
    try file.complete()
    #expect(try access(name).permissions.rawValue == 0o644)
  }

  @Test func `a file that replaces none has the mode that the user's mask leaves`() throws {
    let other = folder.appendingPathComponent("other")
    try OpenFile(other, options: .create).write(.init(string: "x"))
    let file = PartialFile(FileDestination(url: name))
    try file.complete()
    #expect(try access(name) == access(other))
  }

  @Test func `a file that has its name already keeps it`() throws {
    try make(name)
    try FinalName(name, replacesExisting: true).moveIntoPlace(from: name)
    #expect(try text(name) == "old")
    try #require(link(name.path, folder.appendingPathComponent("other").path) == 0)
    try FinalName(name, replacesExisting: true).moveIntoPlace(from: name)
    #expect(throws: MartletError.self) {
      try FinalName(self.name, replacesExisting: false).moveIntoPlace(from: self.name)
    }
    #expect(try text(name) == "old")
  }

  @Test(arguments: [0o600, 0o644] as [mode_t])
  func `a file of secrets that is replaced leaves its mode, a new one is private`(mode: mode_t)
    throws
  {
    try OpenFile.replace(name, with: Data("a".utf8), through: name.newPartialURL)
    #expect(try access(name).permissions.rawValue == 0o600)
    try #require(chmod(name.path, mode) == 0)
    try OpenFile.replace(name, with: Data("b".utf8), through: name.newPartialURL)
    #expect(try access(name).permissions.rawValue == UInt32(mode))
    #expect(try text(name) == "b")
  }

  @Test(arguments: ["name", "link"])
  func `a file that may not be written is not replaced`(given: String) throws {
    try make(name, mode: 0o444)
    try #require(symlink("name", folder.appendingPathComponent("link").path) == 0)
    let url = folder.appendingPathComponent(given)
    let final = FinalName(url, replacesExisting: true)
    let new = try partial()
    for attempt in [{ try final.check() }, { _ = try final.moveIntoPlace(from: new) }] {
      let error = #expect(throws: MartletError.self) { try asUnprivilegedUser(attempt) }
      #expect(error?.code == .fileNotWritable)
      #expect(error?.message == "“\(url.path)” could not be written: Permission denied.")
    }
    #expect(try text(name) == "old")
    #expect((url.statusOfName?.type == .regular) == (given == "name"))
  }

  @Test func `a file of another user that may be written is replaced`() throws {
    try make(name, mode: 0o666)
    try asUnprivilegedUser { try FinalName(name, replacesExisting: true).check() }
  }

  // MARK: What is no regular file

  private func expectRefusal(_ url: URL, _ sentence: String) throws {
    let final = FinalName(url, replacesExisting: true)
    let before = try #require(url.statusOfName).inode
    for attempt in [{ try final.check() }, { _ = try final.moveIntoPlace(from: self.partial()) }] {
      let error = #expect(throws: MartletError.self) { try attempt() }
      #expect(error?.code == .fileNotWritable)
      #expect(error?.message == "“\(url.path)” \(sentence)")
    }
    #expect(url.statusOfName?.inode == before)
  }

  private static let refusal =
    "is not a regular file, and is not replaced by one: choose another name, or stream the body and write it there."

  @Test func `a named pipe is not replaced`() throws {
    try #require(mkfifo(name.path, 0o600) == 0)
    try expectRefusal(name, Self.refusal)
  }

  @Test func `a device is not replaced, nor is what leads to it`() throws {
    let link = folder.appendingPathComponent("link")
    try #require(symlink("/dev/null", link.path) == 0)
    try expectRefusal(link, Self.refusal)
  }

  @Test func `links that lead in a circle are not replaced`() throws {
    try #require(symlink("name", name.path) == 0)
    try expectRefusal(name, Self.refusal)
  }

  @Test func `a folder is not replaced`() throws {
    try FileManager.default.createDirectory(at: name, withIntermediateDirectories: false)
    try expectRefusal(name, "is a folder: give the file a name in it.")
  }

  // MARK: Links

  @Test(arguments: ["name", "./name", "other/../name", "ABSOLUTE"])
  func `a link stays, and what it names is replaced`(target: String) throws {
    let link = folder.appendingPathComponent("link")
    let other = folder.appendingPathComponent("other")
    try FileManager.default.createDirectory(at: other, withIntermediateDirectories: false)
    try make(name, mode: 0o600)
    try #require(symlink(target == "ABSOLUTE" ? name.path : target, link.path) == 0)
    let final = FinalName(link, replacesExisting: true)
    try final.check()
    #expect(try final.moveIntoPlace(from: partial()) == link)
    #expect(link.statusOfName?.type == .symbolicLink)
    #expect(try text(name) == "new")
    #expect(try access(name).permissions.rawValue == 0o600)
  }

  @Test func `a link to a file in another folder is followed from the folder that it is in`() throws
  {
    let inner = folder.appendingPathComponent("a/b")
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
    let alias = folder.appendingPathComponent("alias")
    try #require(symlink("a/b", alias.path) == 0)
    try #require(symlink("../file", inner.appendingPathComponent("link").path) == 0)
    let file = PartialFile(FileDestination(url: alias.appendingPathComponent("link")))
    try file.write([.init(string: "new")])
    try file.complete()
    #expect(try text(folder.appendingPathComponent("a/file")) == "new")
  }

  @Test func `a link to nothing gets a file where it leads`() throws {
    let link = folder.appendingPathComponent("link")
    try #require(symlink("name", link.path) == 0)
    try FinalName(link, replacesExisting: true).moveIntoPlace(from: partial())
    #expect(try text(name) == "new")
    #expect(link.statusOfName?.type == .symbolicLink)
  }

  @Test func `a link has its name, where nothing is replaced`() throws {
    try #require(symlink("nothing", name.path) == 0)
    let final = FinalName(name, replacesExisting: false)
    let error = #expect(throws: MartletError.self) { try final.check() }
    #expect(
      error?.message == "“\(name.path)” exists already: move it away, or choose another name.")
    #expect(throws: MartletError.self) { try final.moveIntoPlace(from: self.partial()) }
  }

  // MARK: Numbers

  @Test func `a name that is taken gets the next free number, before its extension`() throws {
    let zip = folder.appendingPathComponent("a.zip")
    for expected in ["a.zip", "a-1.zip", "a-2.zip"] {
      let taken = try FinalName(zip, ifTaken: .number).moveIntoPlace(from: partial(expected))
      #expect(taken.lastPathComponent == expected)
    }
    let plain = FinalName(name, ifTaken: .number)
    try FileManager.default.createDirectory(at: name, withIntermediateDirectories: false)
    try plain.check()
    #expect(try plain.moveIntoPlace(from: partial()).lastPathComponent == "name-1")
    #expect(try names == ["a-1.zip", "a-2.zip", "a.zip", "name", "name-1"])
    #expect(try text(zip) == "a.zip")
  }

  @Test func `many files moved to one name at once get a name each`() async throws {
    let final = FinalName(name, ifTaken: .number)
    let files = try (0..<20).map { try partial("\($0)") }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for file in files { group.addTask { try final.moveIntoPlace(from: file) } }
      try await group.waitForAll()
    }
    #expect(try names.count == 20)
    #expect(try Set(names.map { try text(folder.appendingPathComponent($0)) }).count == 20)
  }

  @Test(arguments: [FinalName.Conflict.fail, .replace, .number])
  func `a process that ended between two steps has given the name already`(
    conflict: FinalName.Conflict
  ) throws {
    let file = try partial()
    try #require(link(file.path, name.path) == 0)
    #expect(try FinalName(name, ifTaken: conflict).moveIntoPlace(from: file) == name)
    #expect(try names == ["name"])
  }
}

/// Runs `body` without the rights of root, which may write every file. Only the calling thread gives them up.
private func asUnprivilegedUser(_ body: () throws -> Void) rethrows {
  #if os(Linux)
  let user = setfsuid(geteuid() == 0 ? 65534 : geteuid())
  defer { _ = setfsuid(UInt32(user)) }
  #endif
  try body()
}

#if os(Linux)
/// Glibc's module leaves `sys/fsuid.h` out.
@_silgen_name("setfsuid") private func setfsuid(_ user: UInt32) -> CInt
#endif
