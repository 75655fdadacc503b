import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import MartletTransport
import NIOCore
import Testing

/// Files that are another by the time they are sent.
@Suite(.timeLimit(.minutes(5)))
struct FileUploadTests {
  private static let wires = [Wire.http1, .h2]
  private let file: URL

  init() throws {
    file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data(count: 8_000_000).write(to: file)
  }

  /// How sending fails when the file becomes `length` long, before or after its first bytes are on the
  /// way. A stream of HTTP/2 fails alone; a connection of HTTP/1.1 is good for nothing else.
  private func failure(length: Int64, isUnderWay: Bool, _ wire: Wire) async throws -> MartletError?
  {
    defer { try? FileManager.default.removeItem(at: file) }
    let (server, engine) = try await wire.start()
    _ = try await engine.send(Request(url: server.url("/get")))
    var request = Request(.post, url: server.url("/status/200"), body: try .file(at: file))
    let path = file.path
    if isUnderWay {
      let call = Call()
      call.observe { event in
        if case .bodySent = event.kind { truncate(path, off_t(length)) }
      }
      request.call = call
    } else {
      truncate(path, off_t(length))
    }
    let error = await #expect(throws: MartletError.self) { try await engine.send(request) }
    if wire == .http1 { try await server.waitForOpenConnections(0) }
    let next = try await engine.send(Request(url: server.url("/get")))
    #expect(next.status == .ok)
    #expect(next.metrics.isConnectionReused == (wire == .h2))
    await server.stop()
    return error
  }

  @Test(arguments: wires, [false, true])
  func `one that has become longer is an error`(_ wire: Wire, isUnderWay: Bool) async throws {
    let error = try await failure(length: 8_000_001, isUnderWay: isUnderWay, wire)
    #expect(error?.code == .bodyLengthMismatch)
    #expect(error?.phase == .send)
    #expect(
      error?.message
        == "“\(file.path)” became longer before it was sent: do not change it while it is sent, or send a copy."
    )
  }

  @Test(arguments: wires, [false, true])
  func `one that has become shorter is an error`(_ wire: Wire, isUnderWay: Bool) async throws {
    let error = try await failure(length: 1000, isUnderWay: isUnderWay, wire)
    #expect(error?.code == .bodyLengthMismatch)
    #expect(
      error?.message
        == "“\(file.path)” became shorter before it was sent: do not change it while it is sent, or send a copy."
    )
  }
}
