import Foundation
import Martlet
import MartletTesting

/// Serves what the examples need, on free ports of this machine.
///
/// Shows routes, certificates, and a log of the requests. It prints its URLs as variables of a shell, and then a line for
/// each request.
@main
struct ExampleServer {
  static func main() async {
    guard CommandLine.arguments.count == 2 else {
      fail(
        "Usage: ExampleServer FOLDER\nUploads and the root certificate are written to the folder.",
        status: 64)
    }
    do {
      try await serve(folder: URL(filePath: CommandLine.arguments[1], directoryHint: .isDirectory))
    } catch {
      fail(error.localizedDescription)
    }
  }

  private static func serve(folder: URL) async throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let authority = try TemporaryAuthority()
    let roots = folder.appending(path: "roots.pem")
    try authority.writePEM(to: roots)
    let current = try authority.leaf()
    let expired = try authority.leaf(notBefore: .now - 172_800, notAfter: .now - 86_400)
    // A port where no server listens.
    let closed = try ReservedPort.refusing()

    let health: [ServerRoute] = [
      .get("/health") { _ in .text("All is well.") },
      .get("/unhealthy") { _ in .text("The disk is full.", status: .serviceUnavailable) },
    ]
    let links = LinkRoutes(closedPort: closed.port)
    let router = logging(
      ServerRouter(BirdRoutes().list + TransferRoutes(folder: folder).list + links.list + health))
    let plain = try await LoopbackServer.start(router: router)
    let secure = try await LoopbackServer.start(tls: ServerTLS(current), router: router)
    let outdated = try await LoopbackServer.start(tls: ServerTLS(expired), router: router)

    write("plain=\(plain.url("/"))")
    write("secure=\(secure.url("/", host: "localhost"))")
    write("expired=\(outdated.url("/", host: "localhost"))")
    write("closed=http://127.0.0.1:\(closed.port)/")
    write("roots=\(roots.path)")
    if let pin = current.certificates.first.flatMap({ PublicKeyPin(of: $0) }) {
      write("pin=\(pin)")
    }
    write("# The requests:")
    await plain.waitUntilStopped()
    withExtendedLifetime(closed) {}
  }

  /// Returns a router that prints each request before its route answers it.
  private static func logging(_ router: ServerRouter) -> ServerRouter {
    ServerRouter([
      .any("/*") { request in
        write(
          ["\(request.method)", request.target, request.headers[.range], request.headers[.ifRange]]
            .compactMap { $0 }.joined(separator: " "))
        return await router.response(to: request)
      }
    ])
  }

  /// Prints a line at once; `print` keeps lines back when they go to a file.
  private static func write(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }

  private static func fail(_ message: String, status: Int32 = 1) -> Never {
    FileHandle.standardError.write(Data("\(message)\n".utf8))
    exit(status)
  }
}
