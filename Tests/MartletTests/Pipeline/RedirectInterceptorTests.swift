import EssentialFoundation
import HTTPTypes
import MartletCore
import NIOCore
import Testing

@testable import Martlet
@testable import MartletEssentials

/// Redirects that are met on the way past.
@Suite(.timeLimit(.minutes(5)))
struct RedirectInterceptorTests {
  private static let redirect = ResponseHead(
    status: .found, headers: [.location: "http://example.com/next"])

  private var request: Request {
    get throws {
      var request = try Request(.get, "http://example.com/")
      request.call = Call()
      return request
    }
  }

  @Test func `the body of a redirect is let go of before the next request is sent`() async throws {
    let body = AbandonedBody()
    let transport = Scripted { request in
      guard request.target == "/next" else {
        return Response(
          head: Self.redirect, url: request.url, body: ResponseBody(stream: body))
      }
      #expect(body.isAbandoned.current)
      return Response(head: ResponseHead(status: .ok), url: request.url)
    }
    let pipeline = Pipeline([RedirectInterceptor()], transport: transport)
    let response = try await pipeline.send(request)
    #expect(response.status == .ok)
    #expect(response.redirects.count == 1)
  }

  @Test func `the request of an error wants what its caller wanted`() async throws {
    var policy = RedirectPolicy()
    policy.limit = 0
    let transport = Scripted { Response(head: Self.redirect, url: $0.url) }
    let pipeline = Pipeline([RedirectInterceptor(policy)], transport: transport)
    let error = await #expect(throws: MartletError.self) { try await pipeline.send(request) }
    #expect(error?.code == .tooManyRedirects)
    guard case .buffer = error?.request?.delivery.handling(for: Self.redirect) else {
      Issue.record("The request would have the redirect thrown away.")
      return
    }
  }
}

/// A body that records when it is abandoned.
private final class AbandonedBody: ResponseBodySource {
  let isAbandoned = Locked(false)

  func next() async throws -> ByteBuffer? { ByteBuffer(repeating: 0x61, count: 1000) }

  func abandon() {
    isAbandoned.withLock { $0 = true }
  }

  var completion: ResponseBody.Completion? { nil }
}

private struct Scripted: Transport {
  let answer: @Sendable (Request) -> Response

  func send(_ request: Request) async throws -> Response { answer(request) }
}
