import EssentialFoundation
import MartletCore
import MartletHAR
import Testing

/// Archives in files.
struct ArchiveFileTests: ~Copyable {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path) }
  }

  private let archive = HTTPArchive(entries: [], comment: "none")

  @Test func `an archive is written to a file and read again`() throws {
    let file = folder.appendingPathComponent("run.har")
    for _ in 1...2 { try archive.write(to: file) }
    #expect(try HTTPArchive(contentsOf: file) == archive)
    #expect(try names == ["run.har"])
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
  }

  @Test(arguments: ["missing/run.har", "."])
  func `a path that cannot be written is an error that names it, and leaves nothing`(path: String)
    throws
  {
    let file = folder.appendingPathComponent(path)
    let error = #expect(throws: MartletError.self) { try archive.write(to: file) }
    #expect(error?.code == .fileNotWritable)
    #expect(try names == [])
  }

  @Test(arguments: [
    ("{", "it is not JSON"), ("{}", "the top level has no “log”"),
    (
      #"{"log": {"version": "1.2", "creator": {"name": "x", "version": "1"}, "entries": [{}]}}"#,
      "“log.entries.[0]” has no"
    ),
  ])
  func `a file that is no archive is an error that says why`(text: String, reason: String) throws {
    let file = folder.appendingPathComponent("run.har")
    try Data(text.utf8).write(to: file)
    let error = #expect(throws: MartletError.self) { _ = try HTTPArchive(contentsOf: file) }
    #expect(error?.code == .decodingFailed)
    #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
  }

  @Test func `a file that does not exist is an error that names it`() throws {
    let file = folder.appendingPathComponent("none.har")
    let error = #expect(throws: MartletError.self) { _ = try HTTPArchive(contentsOf: file) }
    #expect(error?.code == .fileNotReachable)
    #expect(error?.message.contains("none.har") == true)
  }
}
