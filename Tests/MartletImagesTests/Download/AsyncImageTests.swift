import Foundation
import Martlet
import MartletImages
import SpecificationCoverage
import TestTiming
import Testing

/// Images as async callers get them.
@Suite(.timeLimit(.minutes(5)))
struct AsyncImageTests {
  private let server = PictureServer(isHeld: true)

  @Test(.covers("IMD-18"))
  func `cancelling a task ends its own waiting, and no other's`() async throws {
    let downloader = server.downloader()
    let request = try PictureServer.request("/6x4/a")
    let one = Task { try await downloader.image(for: request) }
    try await server.waitForRequests(1)
    let other = Caller()
    other.download(request, from: downloader)
    one.cancel()
    await #expect(throws: MartletError.self) { try await one.value }
    server.letGo()
    #expect(try await other.answer().image?.pixelWidth == 6)
    #expect(server.asked.count == 1)
  }

  @Test(.covers("IMD-18"))
  func `when the last is cancelled, the download is`() async throws {
    let downloader = server.downloader()
    let request = try PictureServer.request("/6x4/a")
    let waiting = Task { try await downloader.image(for: request) }
    try await server.waitForRequests(1)
    let task = try #require(downloader.sessionManager.session.tasks.first)
    waiting.cancel()
    let error = await #expect(throws: MartletError.self) { try await waiting.value }
    #expect(error?.code == .cancelled)
    try await eventually { task.state == .completed }
  }

  @Test func `a task that was cancelled before it asks gets no image, and leaves nothing behind`()
    async throws
  {
    let downloader = server.downloader()
    let request = try PictureServer.request("/6x4/a")
    for _ in 0..<50 {
      let waiting = Task { try await downloader.image(for: request) }
      waiting.cancel()
      let error = await #expect(throws: MartletError.self) { try await waiting.value }
      #expect(error?.code == .cancelled)
    }
    try await eventually { downloader.sessionManager.session.tasks.isEmpty }
    server.letGo()
    #expect(try await downloader.image(for: request).pixelWidth == 6)
  }

  @Test func `async callers do not wait for the queue of closures`() async throws {
    let downloader = server.downloader()
    let busy = DispatchQueue(label: "busy")
    busy.suspend()
    defer { busy.resume() }
    downloader.sessionManager.completionQueue = busy
    server.letGo()
    #expect(try await downloader.image(for: PictureServer.request("/6x4/a")).pixelWidth == 6)
  }

  @Test(.covers("IMD-18", "IMD-20"))
  func `when tasks are cancelled at any moment, each task ends, and nothing stays behind`()
    async throws
  {
    let downloader = server.downloader()
    server.letGo()
    let ends = await withTaskGroup(of: Bool.self) { group in
      for turn in 0..<2000 {
        group.addTask { await Self.isEndAsExpected(of: turn, from: downloader) }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(ends == Array(repeating: true, count: 2000))
    try await eventually { downloader.sessionManager.session.tasks.isEmpty }
    // No place is lost to those that were cancelled.
    #expect(try await downloader.image(for: PictureServer.request("/6x4/new")).pixelWidth == 6)
  }

  /// Asks for one of twenty pictures; every third caller is cancelled, sooner or later.
  private static func isEndAsExpected(of turn: Int, from downloader: ImageDownloader) async -> Bool
  {
    let waiting = Task {
      try await downloader.image(
        for: PictureServer.request("/6x4/\(turn % 20)", .reloadIgnoringLocalCacheData))
    }
    let isCancelled = turn.isMultiple(of: 3)
    if isCancelled {
      for _ in 0..<turn % 7 { await Task.yield() }
      waiting.cancel()
    }
    do {
      return try await waiting.value.pixelWidth == 6
    } catch {
      return isCancelled && (error as? MartletError)?.code == .cancelled
    }
  }
}
