import Foundation
import Martlet
import MartletTesting
import MartletTransport
import TestTiming
import Testing

/// The time-out for the whole exchange, redirects included.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct TotalTimeOutTests {
  /// Each hop takes 150 ms, and leads to the next one.
  private func circle() async throws -> ScriptedServer {
    let redirect = CannedResponse(302, ["Location": "/"])
    let hop: [Script.Step] = [.readRequest, .wait(.milliseconds(150)), .reply(redirect)]
    return try await ScriptedServer.start(Script(hop + hop + hop + hop), repeatsLast: true)
  }

  @Test func `redirects share one time-out, and do not begin it anew`() async throws {
    let server = try await circle()
    let session = URLSessionManager()
    try await expectTimeOut(at: server) { try await session.send($0) }
    await server.stop()
  }

  @Test func `a pipeline without a session shares it as well`() async throws {
    let server = try await circle()
    let pipeline = Pipeline([RedirectInterceptor()], transport: HTTPTransport())
    try await expectTimeOut(at: server) { try await pipeline.send($0) }
    await server.stop()
  }

  /// A time-out that a hop begins anew takes 550 ms or more.
  private func expectTimeOut(
    at server: ScriptedServer, _ send: (Request) async throws -> Response
  ) async throws {
    var request = Request(url: server.url())
    request.options.timeouts = Timeouts(.seconds(5), total: .milliseconds(400))
    let elapsed = try await inTime(.milliseconds(500)) {
      let start = ContinuousClock.now
      await #expect {
        try await send(request)
      } throws: { error in
        (error as? MartletError)?.message
          == "The call to http://127.0.0.1:\(server.port) took longer than the 400 ms allowed in total: try again or raise the time-out."
      }
      return start.duration(to: .now)
    }
    #expect(elapsed >= .milliseconds(399))
  }
}
