import ArgumentParser
import EssentialFoundation
import MartletEssentials
import MartletTesting
import NIOCore

/// `martlet demo`
struct DemoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Show what the library does, with servers started on this machine.")

  func run() async throws {
    try await Report.run {
      let environment = try await DemoEnvironment.start()
      let clock = ContinuousClock()
      let start = clock.now
      var failures = 0
      for step in DemoStep.all {
        if await !DemoLine(step).show(on: environment) { failures += 1 }
      }
      await environment.end()
      return try Self.close(failures, took: clock.now - start)
    }
  }

  private static func close(_ failures: Int, took time: Duration) throws -> ExitStatus {
    let count = DemoStep.all.count
    guard failures == 0 else {
      throw ToolFailure("\(failures) of \(count) steps failed.")
    }
    try OutputHandle.output.write("All \(count) steps passed in \(time.brief).\n")
    return .success
  }
}

/// The servers, the session and the folder that the steps of the demo use.
struct DemoEnvironment: Sendable {
  let plain: LoopbackServer
  let secure: LoopbackServer
  /// The root certificate of the secure server, as DER.
  let root: [UInt8]
  /// A session with the default configuration and the base URL of the plain server.
  let api: HTTPSessionManager
  /// The folder for downloads.
  let folder: URL

  static func start() async throws -> DemoEnvironment {
    let authority = try TemporaryAuthority(commonName: "Martlet Demo Root")
    let plain = try await LoopbackServer.start(router: router)
    let secure = try await LoopbackServer.start(tls: ServerTLS(try authority.leaf()))
    let folder = FileManager.default.temporaryDirectory.appending(path: "martlet-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return DemoEnvironment(
      plain: plain, secure: secure, root: authority.root,
      api: HTTPSessionManager(baseURL: plain.url("/")), folder: folder)
  }

  func end() async {
    try? FileManager.default.removeItem(at: folder)
    await plain.stop()
    await secure.stop()
  }

  // MARK: A slow download

  static let downloadSize = 8 << 20
  private static let chunkCount = 32

  /// The routes of httpbin, and one that sends 8 MiB in about a second.
  private static var router: ServerRouter {
    let route = ServerRoute.get("/slow-download") { _ in
      ServerResponse(
        headers: [.contentType: "application/octet-stream"],
        body: .producer(length: downloadSize) { write in
          let chunk = ByteBuffer(repeating: 0x6D, count: downloadSize / chunkCount)
          for _ in 0..<chunkCount {
            try await write(chunk)
            try await Task.sleep(for: .milliseconds(25))
          }
        })
    }
    return ServerRouter([route] + ServerRouter.httpbin().routes)
  }
}
