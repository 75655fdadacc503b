#if os(Linux)
import EssentialFoundation
import ExitTesting
import Foundation
import HTTPTypes
import Martlet
import MartletDiskCache
import MartletTesting
import Testing

/// What programs inherit that this process starts.
@Suite(.blocksAThread, .timeLimit(.minutes(20)))
struct InheritedDescriptorTests {
  @Test func `a program that is started during a download inherits no connection, file or lock`()
    async throws
  {
    // In a process of its own, in which no other test opens anything.
    await #expect(processExitsWith: .success) {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      defer { try? FileManager.default.removeItem(at: folder) }
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let authority = try TemporaryAuthority()
      let server = try await LoopbackServer.start(tls: ServerTLS(try authority.leaf()))
      let before = try inheritedFiles(through: folder)

      var configuration = SessionConfiguration()
      configuration.cache = DiskResponseCache(directory: folder.appendingPathComponent("cache"))
      configuration.tls.roots = .certificates([authority.root])
      configuration.tls.keyLogFile = folder.appendingPathComponent("keys")
      let session = URLSessionManager(configuration: configuration)
      _ = try await session.send(Request(url: server.url("/cache/60")))
      let (received, report) = AsyncStream.makeStream(of: Int64.self)
      let download = Task {
        defer { report.finish() }
        let slow = Request(url: server.url("/drip?delay=0&duration=600&numbytes=6000"))
        _ = try await session.download(
          slow, to: folder.appendingPathComponent("file"),
          store: DownloadStore(folder: folder)
        ) { report.yield($0.completed) }
      }
      var isOpen = false
      for await _ in received {
        let own = try openFiles()
        isOpen = ["/keys", ".part", ".lock", ".sqlite"].allSatisfy { name in
          own.contains { $0.hasSuffix(name) }
        }
        if isOpen { break }
      }
      #expect(isOpen)
      let inherited = try inheritedFiles(through: folder)
      // SwiftNIO lets programs inherit the descriptors of epoll and the server's ends of connections.
      let difference = inherited.withoutSockets.difference(from: before.withoutSockets)
      #expect(difference.isEmpty, "\(difference)")
      let newSockets = inherited.count { $0.isSocket } - before.count { $0.isSocket }
      #expect(newSockets == server.openConnectionCount)
      download.cancel()
      _ = await download.result
    }
  }
}

/// The files that this process has open, as the system describes them.
private func openFiles() throws -> [String] {
  let folder = "/proc/self/fd"
  return try FileManager.default.contentsOfDirectory(atPath: folder).compactMap {
    try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
  }
}

/// What is open in a program that is started now, which writes it to a file in a folder. A file has its number, because other
/// processes may rename or remove it meanwhile.
private func inheritedFiles(through folder: URL) throws -> [String] {
  let file = folder.appendingPathComponent("inherited")
  system(
    """
    for link in /proc/$$/fd/*; do
      case "$(readlink $link)" in /*) stat -Lc 'file %d:%i' $link ;; *) readlink $link ;; esac
    done > '\(file.path)'
    """)
  return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { String($0) }
}

extension String {
  fileprivate var isSocket: Bool { hasPrefix("socket:") }
}

extension [String] {
  fileprivate var withoutSockets: [String] {
    filter { !$0.isSocket && $0 != "anon_inode:[eventpoll]" }
  }
}
#endif
