import Foundation
import Testing

/// One run of the built tool as a process of its own, in an empty directory.
struct ToolRun {
  let status: Int32
  let output: Data
  /// Standard error.
  let complaint: String
  /// The files that it left in its directory, hidden ones included, as texts by name.
  let contents: [String: String]

  /// The names of the files that it left.
  var files: [String] { contents.keys.sorted() }
  /// Standard output.
  var text: String { String(decoding: output, as: UTF8.self) }

  /// Runs the tool to its end.
  ///
  /// - Parameters:
  ///   - arguments: What follows its name.
  ///   - input: What it gets on standard input. The default is nothing.
  ///   - files: What it finds in its directory. The default is nothing.
  /// - Throws: What the file system throws.
  init(_ arguments: String..., input: String = "", files: [String: String] = [:]) async throws {
    try await self.init(arguments: arguments, input: input, files: files)
  }

  init(arguments: [String], input: String = "", files: [String: String] = [:]) async throws {
    try await self.init(Place.tool, arguments, input: input, files: files)
  }

  /// Runs a shell script that finds the tool as `$MARTLET`.
  ///
  /// A script's `&` has the tool ignore SIGINT. `$FOREGROUND "$MARTLET" … &` starts it as shells start foreground jobs.
  ///
  /// - Parameter script: What `sh` understands.
  /// - Throws: What the file system throws.
  init(script: String) async throws {
    try await self.init(URL(fileURLWithPath: "/bin/sh"), ["-c", script], input: "", files: [:])
  }

  #if os(Linux)
  /// Runs the tool with its standard output on a terminal, which shows it.
  ///
  /// - Parameters:
  ///   - terminal: The terminal.
  ///   - arguments: What follows its name.
  ///   - environment: What it finds there beside the tests' own. The default is nothing.
  /// - Throws: What the file system throws.
  init(
    on terminal: Terminal, _ arguments: [String], environment: [String: String] = [:]
  ) async throws {
    try await self.init(
      Place.tool, arguments, input: "", files: [:], environment: environment,
      output: FileHandle(fileDescriptor: terminal.far))
  }
  #endif

  private init(
    _ program: URL, _ arguments: [String], input: String, files: [String: String],
    environment: [String: String] = [:], output terminal: FileHandle? = nil
  ) async throws {
    let place = try Place(input: input, files: files)
    defer { place.remove() }
    status = try await place.run(
      program, arguments, environment: environment, output: terminal)
    output = try Data(contentsOf: place.output)
    complaint = String(decoding: try Data(contentsOf: place.complaint), as: UTF8.self)
    contents = try place.contents
  }
}

/// The files of one run.
private struct Place {
  let folder: URL
  let input: URL
  let output: URL
  let complaint: URL
  private let root: URL

  init(input text: String, files: [String: String]) throws {
    root = FileManager.default.temporaryDirectory.appending(path: "martlet-tests-\(UUID())")
    folder = root.appending(path: "folder")
    (input, output) = (root.appending(path: "input"), root.appending(path: "output"))
    complaint = root.appending(path: "complaint")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: input)
    for url in [output, complaint] { try Data().write(to: url) }
    for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
  }

  var contents: [String: String] {
    get throws {
      var contents: [String: String] = [:]
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
        let url = folder.appending(path: name)
        guard try url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory != true else {
          continue
        }
        let data = try Data(contentsOf: url)
        contents[name] = String(decoding: data, as: UTF8.self)
      }
      return contents
    }
  }

  func remove() {
    try? FileManager.default.removeItem(at: root)
  }

  func run(
    _ program: URL, _ arguments: [String], environment: [String: String],
    output terminal: FileHandle?
  ) async throws -> Int32 {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["MARTLET": Self.tool.path, "FOREGROUND": "env --default-signal=INT,TERM,HUP"].merging(
        environment
      ) { $1 }
    ) { $1 }
    process.currentDirectoryURL = folder
    process.standardInput = try FileHandle(forReadingFrom: input)
    process.standardOutput = try terminal ?? FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: complaint)
    try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<Void, any Error>) in
      process.terminationHandler = { _ in continuation.resume() }
      do { try process.run() } catch { continuation.resume(throwing: error) }
    }
    return process.terminationStatus
  }

  /// The tool is built beside the tests.
  static let tool = URL(fileURLWithPath: CommandLine.arguments[0])
    .deletingLastPathComponent().appending(path: "martlet")
}
