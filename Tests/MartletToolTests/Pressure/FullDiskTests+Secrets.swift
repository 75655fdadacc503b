import EssentialFoundation
import Martlet
import MartletTesting
import Testing

/// A disk that is full where the secrets of TLS connections are written.
extension FullDiskTests {
  @Test
  func
    `requests succeed without their TLS secrets, whose lines are whole again when there is room`()
    async throws
  {
    let disk = try SmallDisk()
    defer { disk.remove() }
    let file = disk.url.appendingPathComponent("secrets")
    // The file has room for a part of a line in its page.
    let comment = Data("#\(String(repeating: "-", count: 4_045))\n".utf8)
    try comment.write(to: file)
    let authority = try TemporaryAuthority()
    let server = try await LoopbackServer.start(tls: ServerTLS(try authority.leaf()))
    var configuration = SessionConfiguration()
    configuration.tls.roots = .certificates([authority.root])
    configuration.tls.keyLogFile = file
    // Each request has a connection of its own.
    configuration.connections.maximumAge = .zero
    let session = URLSessionManager(configuration: configuration)
    let request = Request(url: server.url("/get", host: "localhost"))

    try disk.fill()
    #expect(try await session.send(request).status == .ok)
    let cut = try Data(contentsOf: file)
    #expect(cut.count == 4_096)

    try disk.free()
    #expect(try await session.send(request).status == .ok)
    #expect(server.connectionCount == 2)
    let text = String(decoding: try Data(contentsOf: file).dropFirst(cut.count), as: UTF8.self)
    let lines = text.split(separator: "\n")
    #expect(text.hasPrefix("\n") && text.hasSuffix("\n"))
    #expect(lines.count >= 4)
    #expect(
      lines.allSatisfy { $0.wholeMatch(of: /[A-Z_0-9]+ [0-9a-f]{64} [0-9a-f]{64,96}/) != nil })
    await session.shutDown()
    await server.stop()
  }
}
