import Foundation
import MartletCore
import MartletTesting

/// The test server of OpenSSL, over TLS 1.2.
final class OpenSSLServer: Sendable {
  private static let program = URL(fileURLWithPath: "/usr/bin/openssl")

  /// Whether the machine has it.
  static var isThere: Bool { FileManager.default.isExecutableFile(atPath: program.path) }

  let port: Int
  private let process: Process
  private let input: FileHandle
  private let printed: AwaitableValue<String>

  private init(port: Int, process: Process, input: FileHandle, printed: AwaitableValue<String>) {
    (self.port, self.process, self.input, self.printed) = (port, process, input, printed)
  }

  /// Starts a server, and returns when it listens.
  ///
  /// - Parameters:
  ///   - credential: Its certificates and key.
  ///   - arguments: More arguments of `openssl s_server`.
  /// - Returns: The server.
  /// - Throws: When it does not start.
  static func start(_ credential: CertifiedKey, arguments: [String] = []) async throws
    -> OpenSSLServer
  {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try credential.writePEM(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let (process, input, output) = (Process(), Pipe(), Pipe())
    process.executableURL = program
    process.arguments =
      [
        "s_server", "-accept", "127.0.0.1:0", "-tls1_2", "-cert", file.path, "-key", file.path,
        "-cert_chain", file.path,
      ] + arguments
    (process.standardInput, process.standardOutput) = (input, output)
    process.standardError = FileHandle.nullDevice
    let printed = AwaitableValue("")
    output.fileHandleForReading.readabilityHandler = { handle in
      let text = String(decoding: handle.availableData, as: UTF8.self)
      if text.isEmpty { handle.readabilityHandler = nil }
      printed.update { $0 += text }
    }
    try process.run()
    try await printed.wait(within: .seconds(30)) {
      "The server has printed “\($0)”."
    } until: {
      port(in: $0) != nil
    }
    return OpenSSLServer(
      port: port(in: printed.current) ?? 0, process: process,
      input: input.fileHandleForWriting, printed: printed)
  }

  /// It says `ACCEPT 127.0.0.1:43567` on a line of its own.
  private static func port(in text: String) -> Int? {
    text.firstMatch(of: /ACCEPT [0-9.]+:([0-9]+)\n/).flatMap { Int($0.output.1) }
  }

  func waitForOutput(_ text: String) async throws {
    try await printed.wait(within: .seconds(30)) {
      "The server has printed “\($0)”."
    } until: {
      $0.contains(text)
    }
  }

  /// Has it ask the client that is connected for a new handshake.
  func renegotiate() throws {
    try input.write(contentsOf: Data("r\n".utf8))
  }

  func stop() {
    process.terminate()
  }
}
