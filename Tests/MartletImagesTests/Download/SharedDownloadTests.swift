import EssentialFoundation
import Foundation
import HTTPTypes
import Martlet
import MartletImages
import MartletTesting
import SpecificationCoverage
import TestTiming
import Testing

/// Downloads that several callers share, wait for, and call off.
@Suite(.timeLimit(.minutes(5)))
struct SharedDownloadTests {
  private let server = PictureServer(isHeld: true)

  @Test(.covers("IMD-4", "IMD-12", "T-IMD-06"))
  func `callers for one URL share the task, its response, and the first one's request`()
    async throws
  {
    let downloader = server.downloader()
    let first = try PictureServer.request("/6x4/a")
    var second = try PictureServer.request("/6x4/a", .reloadIgnoringLocalCacheData)
    second.headers[.accept] = "image/webp"
    let (one, other) = (Caller(), Caller())
    let receipt = try #require(one.download(first, from: downloader))
    let shared = try #require(other.download(second, from: downloader))
    #expect(receipt.task === shared.task)
    #expect(receipt != shared)
    server.letGo()
    let answers = (try await one.answer(), try await other.answer())
    let image = try #require(answers.0.image)
    #expect(answers.1.image?.isIdentical(to: image) == true)
    #expect(answers.1.response?.headers[.eTag] == "1")
    #expect(answers.1.request.headers[.accept] == nil)
    #expect(server.asked.count == 1)
  }

  @Test(.covers("IMD-12"))
  func `all callers that share a download receive its failure, in the order of their calls`()
    async throws
  {
    let downloader = server.downloader()
    let order = Locked<[Int]>([])
    let request = try PictureServer.request("/404")
    for number in 0..<10 {
      downloader.download(request) { _, _, _ in
      } failure: { _, response, _ in
        order.withLock { $0.append(response?.status.code == 404 ? number : -1) }
      }
    }
    server.letGo()
    try await eventually { order.current.count == 10 }
    #expect(order.current == Array(0..<10))
  }

  @Test(.covers("T-IMD-19"))
  func `a receipt carries the caller's id`() throws {
    let downloader = server.downloader()
    let id = UUID()
    let request = try PictureServer.request("/6x4/a")
    let receipt = try #require(downloader.download(request, receiptID: id))
    #expect(receipt.receiptID == id)
    #expect(receipt == downloader.download(request, receiptID: id))
    #expect(Set([receipt, receipt]).count == 1)
  }

  // MARK: Order

  @Test(.covers("IMD-2", "IMD-8"))
  func `four are under way at once`() async throws {
    let downloader = server.downloader()
    let callers = try (0..<20).map { number in
      let caller = Caller()
      caller.download(try PictureServer.request("/6x4/\(number)"), from: downloader)
      return caller
    }
    try await server.waitForRequests(4)
    server.letGo()
    for caller in callers { #expect(try await caller.answer().image != nil) }
    #expect(server.state.current.mostUnderWay == 4)
    #expect(server.asked.count == 20)
  }

  @Test(.covers("IMD-8"), arguments: [ImageDownloader.Prioritization.fifo, .lifo])
  func `those that wait go in the order that was set`(order: ImageDownloader.Prioritization)
    async throws
  {
    let downloader = server.downloader(order, maximum: 1)
    let callers = try (0..<5).map { number in
      let caller = Caller()
      caller.download(try PictureServer.request("/6x4/\(number)"), from: downloader)
      return caller
    }
    server.letGo()
    for caller in callers { _ = try await caller.answer() }
    let rest = order == .fifo ? [1, 2, 3, 4] : [4, 3, 2, 1]
    #expect(server.asked == ([0] + rest).map { "/6x4/\($0)" })
    #expect(downloader.downloadPrioritization == order)
  }

  // MARK: Calling off

  @Test(.covers("IMD-17", "IMD-18", "T-IMD-13"))
  func `a caller that cancels its receipt receives an error, and the task ends`() async throws {
    let (downloader, caller) = (server.downloader(), Caller())
    let receipt = try #require(
      caller.download(try PictureServer.request("/6x4/a"), from: downloader))
    try await server.waitForRequests(1)
    downloader.cancel(receipt)
    let answer = try await caller.answer()
    #expect(answer.error?.code == .cancelled)
    #expect(
      answer.error?.message == "ImageDownloader cancelled URL request: http://in.process/6x4/a")
    #expect(answer.response == nil)
    #expect(answer.isOnMainQueue)
    try await eventually { receipt.task.state == .completed }
    downloader.cancel(receipt)
    #expect(caller.count == 1)
  }

  @Test(.covers("IMD-16", "IMD-18", "T-IMD-14"))
  func `when one caller of a shared download cancels, the other gets the image`() async throws {
    let downloader = server.downloader()
    let (one, other) = (Caller(), Caller())
    let request = try PictureServer.request("/6x4/a")
    one.download(request, from: downloader)
    let receipt = try #require(other.download(request, from: downloader))
    downloader.cancel(receipt)
    #expect(try await other.answer().error?.code == .cancelled)
    server.letGo()
    #expect(try await one.answer().image != nil)
    #expect((one.count, other.count) == (1, 1))
  }

  @Test(.covers("IMD-11", "IMD-19", "IMD-20", "T-IMD-15"))
  func `what was called off can be asked for again at once`() async throws {
    let downloader = server.downloader()
    let requests = try (0..<5).map { try PictureServer.request("/6x4/\($0)") }
    let (first, second) = (requests.map { _ in Caller() }, requests.map { _ in Caller() })
    var receipts: [ImageDownloadReceipt] = []
    for (request, caller) in zip(requests, first) {
      let receipt = try #require(caller.download(request, from: downloader))
      downloader.cancel(receipt)
      receipts.append(receipt)
    }
    for (request, caller) in zip(requests, second) { caller.download(request, from: downloader) }
    for receipt in receipts { downloader.cancel(receipt) }
    server.letGo()
    for caller in first { #expect(try await caller.answer().error?.code == .cancelled) }
    for caller in second { #expect(try await caller.answer().image != nil) }
    #expect((first + second).allSatisfy { $0.count == 1 })
  }

  @Test(.covers("IMD-11", "T-IMD-16"))
  func `what was called off at once is not cached`() async throws {
    let (downloader, caller) = (server.downloader(), Caller())
    let request = try PictureServer.request("/6x4/a")
    let receipt = try #require(caller.download(request, from: downloader))
    downloader.cancel(receipt)
    server.letGo()
    try await eventually { receipt.task.state == .completed }
    // Whatever ends behind it has been seen to.
    _ = try await downloader.image(for: PictureServer.request("/6x4/b"))
    #expect(downloader.imageCache?.image(for: request) == nil)
  }

  @Test(.covers("IMD-14", "IMD-21"))
  func `calling off those that wait lets no more than the maximum run`() async throws {
    let downloader = server.downloader(maximum: 2)
    let callers = (0..<8).map { _ in Caller() }
    let receipts = try callers.enumerated().map { number, caller in
      let request = try PictureServer.request("/6x4/\(number)")
      return try #require(caller.download(request, from: downloader))
    }
    for receipt in receipts[2..<5] { downloader.cancel(receipt) }
    try await eventually { receipts[2..<5].allSatisfy { $0.task.state == .completed } }
    try await server.waitForRequests(2)
    server.letGo()
    for caller in callers { _ = try await caller.answer() }
    #expect(server.state.current.mostUnderWay == 2)
    #expect(server.asked.sorted() == [0, 1, 5, 6, 7].map { "/6x4/\($0)" })
  }

  @Test(.covers("IMD-22"))
  func `when the task itself is cancelled, all its callers receive the error`() async throws {
    let downloader = server.downloader(maximum: 1)
    let (one, other, next) = (Caller(), Caller(), Caller())
    let request = try PictureServer.request("/6x4/a")
    let receipt = try #require(one.download(request, from: downloader))
    other.download(request, from: downloader)
    next.download(try PictureServer.request("/6x4/b"), from: downloader)
    receipt.task.cancel()
    #expect(try await one.answer().error?.code == .cancelled)
    #expect(try await other.answer().error?.code == .cancelled)
    server.letGo()
    #expect(try await next.answer().image != nil)
  }

  @Test(.covers("IMD-23", "T-IMD-02"))
  func `a downloader that is dropped ends its tasks, and calls no handler`() async throws {
    var downloader: ImageDownloader? = server.downloader(maximum: 1)
    let callers = [Caller(), Caller()]
    var tasks: [SessionTask] = []
    for (path, caller) in zip(["/6x4/a", "/6x4/b"], callers) {
      let request = try PictureServer.request(path)
      let receipt = try #require(downloader.flatMap { caller.download(request, from: $0) })
      tasks.append(receipt.task)
    }
    try await server.waitForRequests(1)
    downloader = nil
    try await eventually { tasks.allSatisfy { $0.state == .completed } }
    server.letGo()
    // Whatever went to the main queue before this has run behind it.
    await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
    #expect(callers.allSatisfy { $0.count == 0 })
    #expect(server.asked == ["/6x4/a"])
  }
}
