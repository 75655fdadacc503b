import Foundation
import HTTPTypes
import MartletCore
import Testing

/// What a call lets its owner do, and tells.
@Suite(.timeLimit(.minutes(5)))
struct CallTests {
  private final class Control: CallControl {
    let calls = Locked<[String]>([])
    func suspend() { calls.withLock { $0.append("suspend") } }
    func resume() { calls.withLock { $0.append("resume") } }
    func cancel() { calls.withLock { $0.append("cancel") } }
  }

  @Test func `what is asked for reaches whoever is attached`() {
    let call = Call()
    let control = Control()
    #expect(call.attach(control) == .go)
    call.suspend()
    #expect(call.isSuspended)
    call.resume()
    call.cancel()
    #expect(control.calls.current == ["suspend", "resume", "cancel"])
  }

  @Test func `what was asked for before is told to whoever attaches`() {
    let call = Call()
    call.suspend()
    #expect(call.attach(Control()) == .hold)
    call.cancel()
    #expect(call.attach(Control()) == .stop)
  }

  @Test func `events are counted and told in order`() throws {
    let call = Call()
    let seen = Locked<[String]>([])
    call.observe { event in
      if case .received(let bytes, _) = event.kind { seen.withLock { $0.append("\(bytes)") } }
    }
    call.report(.received(bytes: 3, total: 10))
    call.report(.received(bytes: 7, total: 10))
    call.report(.bodySent(bytes: 4, total: nil))
    #expect(seen.current == ["3", "7"])
    #expect(call.downloadProgress.fractionCompleted == 1)
    #expect(call.uploadProgress.completed == 4)

    let request = try Request(.get, "http://h/")
    call.report(.sending(request, over: nil, isConnectionReused: false))
    #expect(call.downloadProgress.completed == 0)
  }

  @Test func `bytes are counted when nobody listens, too`() {
    let call = Call()
    #expect(call.downloadProgress == TransferProgress())
    call.report(.received(bytes: 3, total: 12))
    call.report(.received(bytes: 3, total: 12))
    #expect(call.downloadProgress.completed == 6)
    #expect(call.downloadProgress.total == 12)
    #expect(call.downloadProgress.elapsed > .zero)
    #expect(call.uploadProgress == TransferProgress())
  }

  @Test func `whoever begins to listen hears what comes from then on`() async {
    let call = Call()
    call.report(.queued)
    let heard = Locked<[String]>([])
    for name in ["a", "b"] {
      call.observe { event in heard.withLock { $0.append("\(name) \(event)") } }
    }
    call.report(.sent)
    #expect(heard.current == ["a sent", "b sent"])
  }

  @Test func `whoever wants to hear of progress alone is told of nothing else`() {
    let call = Call()
    let heard = Locked<[String]>([])
    call.observe(.progress) { event in heard.withLock { $0.append("\(event)") } }
    let info = ConnectionInfo(
      protocolName: "http/1.1", localAddress: nil, remoteAddress: nil, resolve: nil, connect: .zero,
      tls: nil,
      tlsVersion: nil)
    call.report(.attempting(Request(url: URL(filePath: "/"))))
    call.report(.sending(Request(url: URL(filePath: "/")), over: info, isConnectionReused: false))
    call.report(.sent)
    let connections = Locked<[UInt64?]>([])
    call.observe(.progress) { event in connections.withLock { $0.append(event.connection) } }
    call.report(.received(bytes: 1, total: 2))
    call.report(.ended(nil))
    call.report(.received(bytes: 1, total: 2))
    #expect(heard.current == ["received(1 of 2 bytes)"])
    // What it is told says where it happened all the same.
    #expect(connections.current == [info.id])
  }

  @Test func `progress may be looked at while it is made`() async {
    let call = Call()
    await withTaskGroup(of: Void.self) { group in
      group.addTask { for _ in 0..<1000 { call.report(.received(bytes: 1, total: 1000)) } }
      group.addTask {
        for _ in 0..<1000 { #expect((0...1000).contains(call.downloadProgress.completed)) }
      }
    }
    #expect(call.downloadProgress.fractionCompleted == 1)
  }
}
