import EssentialFoundation
import Foundation
import HTTPTypes
import MartletCore
import Testing

/// The control of a call, and its events.
@Suite(.timeLimit(.minutes(5)))
struct CallTests {
  private final class Control: CallControl {
    let calls = Locked<[String]>([])
    func suspend() { calls.withLock { $0.append("suspend") } }
    func resume() { calls.withLock { $0.append("resume") } }
    func cancel() { calls.withLock { $0.append("cancel") } }
  }

  @Test func `suspend, resume and cancel are passed to the attached control`() {
    let call = Call()
    let control = Control()
    #expect(call.attach(control) == .proceed)
    call.suspend()
    #expect(call.isSuspended)
    call.resume()
    call.cancel()
    #expect(control.calls.current == ["suspend", "resume", "cancel"])
  }

  @Test func `a control that is attached later learns of an earlier suspension or cancellation`() {
    let call = Call()
    call.suspend()
    #expect(call.attach(Control()) == .suspended)
    call.cancel()
    #expect(call.attach(Control()) == .cancelled)
  }

  @Test func `events are counted and reported in order`() throws {
    let call = Call()
    let seen = Locked<[String]>([])
    call.observe { event in
      if case .bodyReceived(let bytes, _) = event.kind { seen.withLock { $0.append("\(bytes)") } }
    }
    call.report(.bodyReceived(bytes: 3, total: 10))
    call.report(.bodyReceived(bytes: 7, total: 10))
    call.report(.bodySent(bytes: 4, total: nil))
    #expect(seen.current == ["3", "7"])
    #expect(call.downloadTransfer.fractionCompleted == 1)
    #expect(call.uploadTransfer.completed == 4)

    let request = try Request(.get, "http://h/")
    call.report(.sending(request, over: nil, isConnectionReused: false))
    #expect(call.downloadTransfer.completed == 0)
  }

  @Test func `bytes are also counted without observers`() {
    let call = Call()
    #expect(call.downloadTransfer == TransferProgress())
    call.report(.bodyReceived(bytes: 3, total: 12))
    call.report(.bodyReceived(bytes: 3, total: 12))
    #expect(call.downloadTransfer.completed == 6)
    #expect(call.downloadTransfer.total == 12)
    #expect(call.downloadTransfer.elapsed > .zero)
    #expect(call.uploadTransfer == TransferProgress())
  }

  @Test func `a listener receives the events from its beginning on`() async {
    let call = Call()
    call.report(.queued)
    let heard = Locked<[String]>([])
    for name in ["a", "b"] {
      call.observe { event in heard.withLock { $0.append("\(name) \(event)") } }
    }
    call.report(.requestSent)
    #expect(heard.current == ["a requestSent", "b requestSent"])
  }

  @Test func `a listener for progress receives no other events`() {
    let call = Call()
    let heard = Locked<[String]>([])
    call.observe(.progress) { event in heard.withLock { $0.append("\(event)") } }
    let info = ConnectionInfo(
      protocolName: "http/1.1", localAddress: nil, remoteAddress: nil, resolveDuration: nil,
      connectDuration: .zero,
      tlsDuration: nil,
      tlsVersion: nil)
    call.report(.attemptStarted(Request(url: URL(filePath: "/"))))
    call.report(.sending(Request(url: URL(filePath: "/")), over: info, isConnectionReused: false))
    call.report(.requestSent)
    let connections = Locked<[UInt64?]>([])
    call.observe(.progress) { event in connections.withLock { $0.append(event.connectionID) } }
    call.report(.bodyReceived(bytes: 1, total: 2))
    call.report(.taskCompleted(nil))
    call.report(.bodyReceived(bytes: 1, total: 2))
    #expect(heard.current == ["bodyReceived(1 of 2 bytes)"])
    // The event that it receives names the connection all the same.
    #expect(connections.current == [info.id])
  }

  @Test func `observers are called in the order in which they were added, after others have ended`()
  {
    let call = Call()
    let received = Locked<[String]>([])
    func observe(_ name: String) -> Observation {
      call.observe { _ in received.withLock { $0.append(name) } }
    }
    let first = observe("first")
    _ = observe("second")
    first.cancel()
    _ = observe("third")
    call.report(.requestSent)
    #expect(received.current == ["second", "third"])
  }

  @Test func `an attempt keeps its number while a second request has another`() throws {
    let call = Call()
    let numbers = Locked<[String]>([])
    call.observe { event in
      let isSecond = event.call !== call
      numbers.withLock { $0.append("\(isSecond ? "second" : "first") \(event.attempt)") }
    }
    let request = try Request("http://h/")
    call.report(.attemptStarted(request))
    let hedge = Call(secondTo: call)
    hedge.report(.attemptStarted(request))
    call.report(.attemptFinished(ExchangeMetrics()))
    hedge.report(.attemptFailed(.cancelled))
    #expect(numbers.current == ["first 1", "second 2", "first 1", "second 2"])
  }

  @Test func `observers find the request, the begin and the status of the current attempt`() throws
  {
    let call = Call()
    #expect(call.request == nil)
    call.observe { _ in }
    let before = ContinuousClock.now
    call.report(.attemptStarted(try Request("http://h/a")))
    #expect(call.request?.url.absoluteString == "http://h/a")
    #expect(try #require(call.attemptStart) >= before)
    #expect(call.status == nil)
    call.report(.responseReceived(ResponseHead(status: .notFound)))
    #expect(call.status == 404)
    call.report(.attemptStarted(try Request("http://h/b")))
    #expect(call.request?.url.absoluteString == "http://h/b")
    #expect(call.status == nil)
  }

  @Test func `progress can be read while it changes`() async {
    let call = Call()
    await withTaskGroup(of: Void.self) { group in
      group.addTask { for _ in 0..<1000 { call.report(.bodyReceived(bytes: 1, total: 1000)) } }
      group.addTask {
        for _ in 0..<1000 { #expect((0...1000).contains(call.downloadTransfer.completed)) }
      }
    }
    #expect(call.downloadTransfer.fractionCompleted == 1)
  }

  @Test func `each attempt has its end, even if the next begins before it`() throws {
    let (call, ends) = (Call(), Locked<[String]>([]))
    call.observe { event in
      switch event.kind {
      case .attemptFinished: ends.withLock { $0.append("finished") }
      case .attemptFailed: ends.withLock { $0.append("failed") }
      default: break
      }
    }
    let request = try Request("http://example.com/")
    for _ in 0..<3 { call.beginAttempt(request) }
    for _ in 0..<2 { call.finishAttempt(ExchangeMetrics()) }
    call.endTask(nil)
    call.finishAttempt(ExchangeMetrics())
    #expect(ends.current == ["finished", "finished", "failed"])
  }

  @Test func `the attempts of a second request have their ends, too, before the task is complete`()
    throws
  {
    let (call, events) = (Call(), Locked<[String]>([]))
    call.observe { event in
      switch event.kind {
      case .attemptFailed: events.withLock { $0.append("failed") }
      case .taskCompleted: events.withLock { $0.append("completed") }
      default: break
      }
    }
    let request = try Request("http://example.com/")
    let second = Call(secondTo: call)
    call.beginAttempt(request)
    for _ in 0..<2 { second.beginAttempt(request) }
    // A call does not keep its second request's alive.
    withExtendedLifetime(second) { call.endTask(nil) }
    #expect(events.current == ["failed", "failed", "failed", "completed"])
  }
}
