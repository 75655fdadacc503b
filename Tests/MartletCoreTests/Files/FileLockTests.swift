import Foundation
import Testing

@testable import MartletCore

/// Lock files.
struct FileLockTests {
  @Test func `at its end a lock removes an empty file, and nothing else`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let names = ["device", "empty", "notes", "pipe"]
    let urls = names.map { folder.appendingPathComponent($0) }
    try #require(symlink("/dev/null", urls[0].path) == 0)
    try Data("mine".utf8).write(to: urls[2])
    try #require(mkfifo(urls[3].path, 0o600) == 0)
    for url in urls { withExtendedLifetime(try FileLock(url)) {} }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        == ["device", "notes", "pipe"])
  }
}
