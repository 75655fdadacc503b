import Foundation
import SystemPackage
import Testing

@testable import MartletCore

private let memory = URL(fileURLWithPath: "/dev/shm")
private let isMemoryAnotherFileSystem =
  access(memory.path, W_OK) == 0
  && memory.device != FileManager.default.temporaryDirectory.device

/// Complete files that get their name in another file system: from the memory of Linux, which most machines have as one.
@Suite(.enabled(if: isMemoryAnotherFileSystem), .timeLimit(.minutes(5)))
final class OtherFileSystemTests {
  private let folder: URL
  private let file: URL
  private var name: URL { folder.appendingPathComponent("name") }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    file = memory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    for url in [folder, file] { try? FileManager.default.removeItem(at: url) }
  }

  private func text(_ url: URL) throws -> String { try String(contentsOf: url, encoding: .utf8) }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path) }
  }

  /// The error when the file should get a name.
  private func failure(at name: URL) async -> MartletError? {
    do {
      _ = try await FinalName(name, ifTaken: .fail).moveOrCopy(from: file, .written)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [FileDurability.written, .onDisk])
  func `a file is copied, and gets its name when it is whole`(durability: FileDurability)
    async throws
  {
    let whole = String(repeating: "0123456789", count: 300_000)
    try Data(whole.utf8).write(to: file)
    let location = try await FinalName(name, ifTaken: .fail).moveOrCopy(from: file, durability)
    #expect(location == name)
    #expect(try text(name) == whole)
    #expect(try names == ["name"])
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test func `a file that replaces another gets its mode`() async throws {
    try Data("new".utf8).write(to: file)
    try Data("old".utf8).write(to: name)
    try #require(chmod(name.path, 0o640) == 0)
    _ = try await FinalName(name, ifTaken: .replace).moveOrCopy(from: file, .written)
    #expect(try text(name) == "new")
    #expect(name.statusOfName?.access.permissions == FilePermissions(rawValue: 0o640))
    #expect(try names == ["name"])
  }

  @Test func `a file whose name is taken stays where it was`() async throws {
    try Data("new".utf8).write(to: file)
    try Data("old".utf8).write(to: name)
    #expect(await failure(at: name)?.code == .fileNotWritable)
    #expect(try text(name) == "old")
    #expect(try text(file) == "new")
    #expect(try names == ["name"])
  }

  @Test func `a folder that does not exist leaves the file where it was`() async throws {
    try Data("new".utf8).write(to: file)
    let absent = folder.appendingPathComponent("absent").appendingPathComponent("name")
    #expect(await failure(at: absent)?.code == .fileNotWritable)
    #expect(try text(file) == "new")
  }
}

extension URL {
  /// The number of its file system.
  fileprivate var device: dev_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_dev : nil
  }
}
