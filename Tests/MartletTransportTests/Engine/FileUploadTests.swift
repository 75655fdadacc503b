import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import MartletTransport
import NIOCore
import Testing

/// Files that are another by the time they are sent.
struct FileUploadTests {
  private let engine = HTTPTransport()
  private let server: LoopbackServer
  private let file: URL

  init() async throws {
    server = try await LoopbackServer.start()
    file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data(count: 8_000_000).write(to: file)
  }

  /// How sending fails when the file becomes `length` long, before or after its first bytes are on the
  /// way; and whether the connection was good for nothing else.
  private func failure(length: Int64, isUnderWay: Bool) async throws -> MartletError? {
    defer { try? FileManager.default.removeItem(at: file) }
    var request = Request(.post, url: server.url("/status/200"), body: try .file(at: file))
    let path = file.path
    if isUnderWay {
      let exchange = Exchange()
      exchange.observe { event in
        if case .bodySent = event { truncate(path, off_t(length)) }
      }
      request.exchange = exchange
    } else {
      truncate(path, off_t(length))
    }
    do {
      _ = try await engine.send(request)
      return nil
    } catch {
      try await server.waitForOpenConnections(0)
      #expect(try await engine.send(Request(url: server.url("/get"))).status == .ok)
      return error as? MartletError
    }
  }

  @Test(arguments: [false, true])
  func `one that has become longer is an error`(isUnderWay: Bool) async throws {
    let error = try await failure(length: 8_000_001, isUnderWay: isUnderWay)
    #expect(error?.code == .bodyLengthMismatch)
    #expect(error?.phase == .send)
    #expect(
      error?.message
        == "“\(file.path)” became longer before it was sent: leave it alone meanwhile, or send a copy."
    )
  }

  @Test(arguments: [false, true])
  func `one that has become shorter is an error`(isUnderWay: Bool) async throws {
    let error = try await failure(length: 1000, isUnderWay: isUnderWay)
    #expect(error?.code == .bodyLengthMismatch)
    #expect(
      error?.message
        == "“\(file.path)” became shorter before it was sent: leave it alone meanwhile, or send a copy."
    )
  }
}
