#if os(Linux)
import ExitTesting
import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import NIOPosix
import Testing

@testable import MartletTransport

/// A process without free file descriptors.
@Suite(.blocksAThread, .timeLimit(.minutes(20)))
struct DescriptorTests {
  @Test
  func
    `without free descriptors a request fails with the reason, and works as soon as there are some`()
    async throws
  {
    await #expect(processExitsWith: .success) {
      let server = try await LoopbackServer.start()
      let (used, unused) = (HTTPTransport(), HTTPTransport())
      let request = Request(url: server.url("/get"))
      try await used.expectOK(request)
      let idle = MultiThreadedEventLoopGroup(numberOfThreads: 1)
      let holder = DescriptorHolder()
      // A connection that is open needs none.
      try await used.expectOK(request)
      for _ in 0..<3 {
        let error = await #expect(throws: MartletError.self) { try await unused.send(request) }
        #expect(error?.code == .connectionFailed)
        #expect(
          error?.message
            == "Could not connect to http://127.0.0.1:\(server.port) (tried 127.0.0.1:\(server.port)): too many files are open: allow more or lower the number of connections."
        )
        #expect(error?.isSafeToRetry == true)
      }
      holder.release()
      let start = ContinuousClock.now
      let (_, lateness) = try await measuringLateness(and: [idle]) {
        try await unused.expectOK(request)
      }
      #expect(start.duration(to: .now) < .seconds(1) + lateness)
    }
  }

  @Test func `without free descriptors a host cannot be looked up, and a file not be written`()
    async throws
  {
    await #expect(processExitsWith: .success) {
      let server = try await LoopbackServer.start()
      let engine = HTTPTransport()
      var request = Request(url: server.url("/get"))
      try await engine.expectOK(request)
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let idle = MultiThreadedEventLoopGroup(numberOfThreads: 1)
      let holder = DescriptorHolder()
      let named = try Request(.get, "http://server.test:\(server.port)/get")
      let unknown = await #expect(throws: MartletError.self) { try await engine.send(named) }
      #expect(
        unknown?.message
          == "Could not connect to http://server.test:\(server.port): too many files are open: allow more or lower the number of connections."
      )
      request.delivery = .file(at: folder.appendingPathComponent("body"))
      let file = await #expect(throws: MartletError.self) { try await engine.send(request) }
      #expect(file?.code == .fileNotWritable)
      #expect(file?.message.hasSuffix("could not be written: Too many open files.") == true)
      holder.release()
      let start = ContinuousClock.now
      let (_, lateness) = try await measuringLateness(and: [idle]) {
        try await engine.send(request)
      }
      #expect(start.duration(to: .now) < .seconds(1) + lateness)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["body"])
      try FileManager.default.removeItem(at: folder)
    }
  }
}
#endif
