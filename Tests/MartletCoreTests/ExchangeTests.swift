import HTTPTypes
import MartletCore
import Testing

/// The handle of an exchange.
@Suite(.timeLimit(.minutes(5)))
struct ExchangeTests {
  private final class Control: ExchangeControl {
    let calls = Locked<[String]>([])
    func suspend() { calls.withLock { $0.append("suspend") } }
    func resume() { calls.withLock { $0.append("resume") } }
    func cancel() { calls.withLock { $0.append("cancel") } }
  }

  @Test func `what is asked for reaches whoever is attached`() {
    let exchange = Exchange()
    let control = Control()
    #expect(exchange.attach(control) == .go)
    exchange.suspend()
    #expect(exchange.isSuspended)
    exchange.resume()
    exchange.cancel()
    #expect(control.calls.current == ["suspend", "resume", "cancel"])
  }

  @Test func `what was asked for before is told to whoever attaches`() {
    let exchange = Exchange()
    exchange.suspend()
    #expect(exchange.attach(Control()) == .hold)
    exchange.cancel()
    #expect(exchange.attach(Control()) == .stop)
  }

  @Test func `events are counted and told in order`() throws {
    let exchange = Exchange()
    let seen = Locked<[String]>([])
    exchange.observe { event in
      if case .received(let bytes, _) = event.kind { seen.withLock { $0.append("\(bytes)") } }
    }
    exchange.report(.received(bytes: 3, total: 10))
    exchange.report(.received(bytes: 7, total: 10))
    exchange.report(.bodySent(bytes: 4, total: nil))
    #expect(seen.current == ["3", "7"])
    #expect(exchange.downloadProgress.fractionCompleted == 1)
    #expect(exchange.uploadProgress.completed == 4)

    let request = try Request(.get, "http://h/")
    exchange.report(.sending(request, over: nil, isConnectionReused: false))
    #expect(exchange.downloadProgress.completed == 0)
  }

  @Test func `bytes are counted when nobody listens, too`() {
    let exchange = Exchange()
    #expect(exchange.downloadProgress == TransferProgress())
    exchange.report(.received(bytes: 3, total: 12))
    exchange.report(.received(bytes: 3, total: 12))
    #expect(exchange.downloadProgress.completed == 6)
    #expect(exchange.downloadProgress.total == 12)
    #expect(exchange.downloadProgress.elapsed > .zero)
    #expect(exchange.uploadProgress == TransferProgress())
  }

  @Test func `whoever begins to listen hears what comes from then on`() async {
    let exchange = Exchange()
    exchange.report(.queued)
    let heard = Locked<[String]>([])
    for name in ["a", "b"] {
      exchange.observe { event in heard.withLock { $0.append("\(name) \(event)") } }
    }
    exchange.report(.sent)
    #expect(heard.current == ["a sent", "b sent"])
  }

  @Test func `progress may be looked at while it is made`() async {
    let exchange = Exchange()
    await withTaskGroup(of: Void.self) { group in
      group.addTask { for _ in 0..<1000 { exchange.report(.received(bytes: 1, total: 1000)) } }
      group.addTask {
        for _ in 0..<1000 { #expect((0...1000).contains(exchange.downloadProgress.completed)) }
      }
    }
    #expect(exchange.downloadProgress.fractionCompleted == 1)
  }
}
