import ArgumentParser
import EssentialFoundation
import MartletTesting

/// `martlet serve`
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Run a server on this machine with the routes of httpbin, until Ctrl-C.",
    discussion: """
      With --tls, a temporary authority issues the server's certificate. The root certificate of that \
      authority is written to a temporary file for --cacert.

      EXAMPLES
        martlet serve --port 8080
        martlet serve --tls
        martlet serve --http2
      """)

  @Flag(name: .long, help: "Serve https.")
  var tls = false

  @Flag(
    name: .customLong("http2"),
    help:
      "Serve HTTP/2: with --tls, together with HTTP/1.1; without --tls, HTTP/2 only, with prior knowledge."
  )
  var speaksHTTP2 = false

  @Option(name: .long, help: ArgumentHelp("The port; 0 chooses a free one.", valueName: "n"))
  var port = 0

  func validate() throws {
    guard (0...65535).contains(port) else {
      throw ValidationError("--port needs a number from 0 to 65535.")
    }
  }

  func run() async throws {
    try await Report.run {
      try await Signals.withFirst { signal in
        let root = tls ? try TemporaryRoot() : nil
        defer { root?.remove() }
        try await serve(root, until: signal)
      }
      return .success
    }
  }

  private func serve(_ root: TemporaryRoot?, until signal: Signals.First) async throws {
    let server: LoopbackServer
    do {
      var tls = root?.serverTLS
      if speaksHTTP2 { tls?.protocols = ["h2", "http/1.1"] }
      server = try await LoopbackServer.start(port: port, tls: tls, priorKnowledge: speaksHTTP2)
    } catch {
      throw ToolFailure(
        "Port \(port) cannot be opened: check that it is free and allowed, or set another --port.")
    }
    try OutputHandle.output.write("Serving \(server.url("/")), until Ctrl-C.\n")
    if let root { try OutputHandle.output.write("Trust it with --cacert \(root.file.path)\n") }
    await signal.wait()
    await server.stop()
  }
}

/// A certificate authority for one run, with its root certificate in a file for `--cacert`.
struct TemporaryRoot {
  let file: URL
  let serverTLS: ServerTLS

  init() throws {
    let authority = try TemporaryAuthority(commonName: "Martlet Temporary Root")
    serverTLS = ServerTLS(try authority.leaf())
    file = FileManager.default.temporaryDirectory.appending(
      path: "martlet-root-\(UUID().uuidString.prefix(8)).pem")
    try authority.writePEM(to: file)
  }

  func remove() {
    try? FileManager.default.removeItem(at: file)
  }
}
