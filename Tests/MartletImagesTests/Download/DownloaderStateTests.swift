import Foundation
import Martlet
import SpecificationCoverage
import Testing

@testable import MartletImages

/// The decisions of a downloader, by themselves: a download's transfer is its number.
struct DownloaderStateTests {
  private var downloads = DownloaderState<Int>(maximum: 2, prioritization: .fifo)

  private func handler(_ id: UUID = UUID()) -> ImageResponseHandler {
    ImageResponseHandler(receiptID: id) { _ in }
  }

  /// The number of a new download, and whether it is started.
  private mutating func add(_ url: String, _ id: UUID = UUID()) throws -> (Int, Bool) {
    let request = try Request(.get, url)
    let (transfer, isStarted) = try downloads.add(request, handler(id)) { number in number }
    return (transfer, isStarted)
  }

  @Test(.covers("IMD-8"))
  mutating func `as many as may be are started, the others wait`() throws {
    let first = try add("http://a/1")
    #expect(first == (1, true))
    let second = try add("http://a/2")
    #expect(second == (2, true))
    let third = try add("http://a/3")
    #expect(third == (3, false))
    let (finished, next) = downloads.finish(1, url: "http://a/1")
    #expect(finished?.number == 1)
    #expect(next == 3)
    let (last, none) = downloads.finish(2, url: "http://a/2")
    #expect(last?.number == 2)
    #expect(none == nil)
  }

  @Test(.covers("IMD-8"))
  mutating func `how the queue is joined is decided by the order in force then`() throws {
    for number in 1...4 { _ = try add("http://a/\(number)") }
    downloads.prioritization = .lifo
    for number in 5...6 { _ = try add("http://a/\(number)") }
    downloads.prioritization = .fifo
    _ = try add("http://a/7")
    var order: [Int] = []
    var number = 1
    while let next = downloads.finish(number, url: "http://a/\(number)").next {
      order.append(next)
      number = next
    }
    #expect(order == [6, 5, 3, 4, 7])
  }

  @Test(.covers("IMD-4"))
  mutating func `a second caller shares the transfer, and waits behind the first`() throws {
    let (one, other) = (UUID(), UUID())
    _ = try add("http://a/1", one)
    let transfer = downloads.join(handler(other), url: "http://a/1")
    #expect(transfer == 1)
    let stranger = downloads.join(handler(), url: "http://a/1#x")
    #expect(stranger == nil)
    let (finished, _) = downloads.finish(1, url: "http://a/1")
    #expect(finished?.handlers.map(\.receiptID) == [one, other])
  }

  @Test(.covers("IMD-16", "IMD-17", "IMD-18"))
  mutating func `only the last caller to leave ends the transfer`() throws {
    let (one, other) = (UUID(), UUID())
    _ = try add("http://a/1", one)
    _ = downloads.join(handler(other), url: "http://a/1")
    let first = downloads.cancel(one, url: "http://a/1")
    #expect(first?.handler.receiptID == one)
    #expect(first?.transfer == nil)
    let second = downloads.cancel(other, url: "http://a/1")
    #expect(second?.handler.receiptID == other)
    #expect(second?.transfer == 1)
    #expect(downloads.transfers.isEmpty)
  }

  @Test(.covers("IMD-19"))
  mutating func `an unknown receipt cancels nothing`() throws {
    _ = try add("http://a/1")
    let stranger = downloads.cancel(UUID(), url: "http://a/1")
    let nowhere = downloads.cancel(UUID(), url: "http://a/2")
    #expect(stranger?.handler.receiptID == nil)
    #expect(nowhere?.handler.receiptID == nil)
    #expect(downloads.transfers == [1])
  }

  @Test(.covers("IMD-11", "IMD-20"))
  mutating func `the end of a cancelled download is not that of the next one`() throws {
    let id = UUID()
    _ = try add("http://a/1", id)
    _ = downloads.cancel(id, url: "http://a/1")
    let again = try add("http://a/1")
    #expect(again == (2, true))
    let (stale, _) = downloads.finish(1, url: "http://a/1")
    #expect(stale == nil)
    let (finished, _) = downloads.finish(2, url: "http://a/1")
    #expect(finished?.number == 2)
  }

  @Test(.covers("IMD-14", "IMD-21"))
  mutating func `cancelling what waits makes no room for more than the maximum`() throws {
    _ = try add("http://a/1")
    _ = try add("http://a/2")
    let ids = [UUID(), UUID(), UUID()]
    for (number, id) in zip(3..., ids) { _ = try add("http://a/\(number)", id) }
    for (number, id) in zip(3..., ids.dropLast()) {
      _ = downloads.cancel(id, url: "http://a/\(number)")
    }
    // Their tasks complete as cancelled, though they never ran.
    for number in 3...4 {
      let (finished, next) = downloads.finish(number, url: "http://a/\(number)")
      #expect(finished == nil)
      #expect(next == nil)
    }
    let sixth = try add("http://a/6")
    #expect(sixth == (6, false))
    let (_, next) = downloads.finish(1, url: "http://a/1")
    #expect(next == 5)
  }

  @Test(.covers("IMD-14"))
  mutating func `a download that was cancelled under way counts until it has ended`() throws {
    let id = UUID()
    _ = try add("http://a/1", id)
    _ = try add("http://a/2")
    _ = downloads.cancel(id, url: "http://a/1")
    let third = try add("http://a/3")
    #expect(third == (3, false))
    let (_, next) = downloads.finish(1, url: "http://a/1")
    #expect(next == 3)
  }

  @Test mutating func `what is cancelled in great numbers leaves the queue`() throws {
    _ = try add("http://a/1")
    _ = try add("http://a/2")
    let last = UUID()
    for number in 3...1000 {
      let id = UUID()
      _ = try add("http://a/\(number)", id)
      _ = downloads.cancel(id, url: "http://a/\(number)")
    }
    _ = try add("http://a/last", last)
    let (_, next) = downloads.finish(1, url: "http://a/1")
    #expect(next == 1001)
  }

  @Test mutating func `what cannot be made leaves nothing behind`() throws {
    let request = try Request(.get, "http://a/1")
    do {
      _ = try downloads.add(request, handler()) { _ throws(MartletError) in
        throw MartletError(.invalidSecurityPolicy, "No.")
      }
      Issue.record("it was made")
    } catch {
      #expect(error.code == .invalidSecurityPolicy)
    }
    #expect(downloads.transfers.isEmpty)
  }

  @Test mutating func `at least one is under way`() throws {
    downloads = DownloaderState(maximum: 0, prioritization: .fifo)
    let first = try add("http://a/1")
    #expect(first == (1, true))
    let second = try add("http://a/2")
    #expect(second == (2, false))
  }
}
