import NIOCore
import NIOEmbedded
import Testing

@testable import MartletTransport

/// What TLS is given while it waits for an answer.
final class ReadPauseTests {
  /// Stands for TLS: asks for an answer at the part `ask`, and takes it in the turn after it, as NIOSSL does. It asks
  /// again then, and takes an answer that it gets at once in the next turn. At the part `ask at once` it has its answer
  /// at once.
  private final class Asker: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    let pause: ReadPause
    var parts: [String] = []
    var answer: EventLoopPromise<Void>?

    init(_ pause: ReadPause) {
      self.pause = pause
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let part = String(buffer: unwrapInboundIn(data))
      parts.append(part)
      let loop = context.eventLoop.assumeIsolated()
      if part == "ask at once" { loop.execute { self.parts.append("taken") } }
      guard part == "ask" else { return }
      let promise = context.eventLoop.makePromise(of: Void.self)
      answer = promise
      pause.pause(until: promise.futureResult)
      promise.futureResult.assumeIsolated().whenComplete { _ in
        loop.execute { loop.execute { self.parts.append("both taken") } }
      }
    }
  }

  private let counter = ReadCounter()
  private let pause = ReadPause()
  private let asker: Asker
  private let channel: EmbeddedChannel

  init() {
    asker = Asker(pause)
    channel = EmbeddedChannel(handlers: [counter, pause, asker])
  }

  /// A channel that is not closed refers to itself.
  deinit {
    _ = try? channel.finish(acceptAlreadyClosed: true)
  }

  private func arrive(_ parts: String...) {
    for part in parts { channel.pipeline.fireChannelRead(ByteBuffer(string: part)) }
    channel.pipeline.fireChannelReadComplete()
  }

  @Test func `while TLS waits for an answer, it is given nothing, and nothing is read`() throws {
    arrive("ask", "b")
    channel.embeddedEventLoop.run()
    arrive("c")
    channel.read()
    channel.embeddedEventLoop.run()
    #expect(asker.parts == ["ask"])
    #expect(counter.count == 0)

    asker.answer?.succeed()
    #expect(asker.parts == ["ask"])
    channel.embeddedEventLoop.run()
    #expect(asker.parts == ["ask", "both taken", "b", "c"])
    #expect(counter.count == 1)
  }

  @Test func `a part that makes TLS ask once more is the last for now`() throws {
    arrive("ask", "ask", "c")
    asker.answer?.succeed()
    channel.embeddedEventLoop.run()
    #expect(asker.parts == ["ask", "both taken", "ask"])
    asker.answer?.succeed()
    channel.embeddedEventLoop.run()
    #expect(asker.parts == ["ask", "both taken", "ask", "both taken", "c"])
  }

  @Test func `TLS is given one part in a turn, so that it can take an answer that it has at once`()
    throws
  {
    arrive("ask at once", "b")
    #expect(asker.parts == ["ask at once"])
    channel.embeddedEventLoop.run()
    #expect(asker.parts == ["ask at once", "taken", "b"])
  }

  @Test func `a connection that ends gives TLS the rest, unless TLS waits for an answer`() throws {
    arrive("a", "alert")
    channel.pipeline.fireChannelInactive()
    #expect(asker.parts == ["a", "alert"])
    channel.embeddedEventLoop.run()
    arrive("ask", "b")
    channel.pipeline.fireChannelInactive()
    #expect(asker.parts == ["a", "alert", "ask"])
    asker.answer?.succeed()
  }

  @Test func `at the end of the handshake the rest is passed on, a turn later`() throws {
    arrive("a", "b")
    channel.read()
    channel.pipeline.syncOperations.removeHandler(pause, promise: nil)
    #expect(asker.parts == ["a"])
    channel.embeddedEventLoop.run()
    #expect(asker.parts == ["a", "b"])
    #expect(counter.count == 1)
    arrive("c", "d")
    #expect(asker.parts == ["a", "b", "c", "d"])
  }

  @Test func `an answer after the connection's end changes nothing`() throws {
    arrive("ask", "b")
    _ = try channel.finish(acceptAlreadyClosed: true)
    asker.answer?.succeed()
    channel.embeddedEventLoop.run()
    #expect(!asker.parts.contains("b"))
  }
}
