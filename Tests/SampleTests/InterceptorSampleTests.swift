// Compiled as an application would be: `import Martlet`, and no feature flag.

import Crypto
import Foundation
import Martlet
import MartletTesting
import Synchronization
import Testing

/// Tries again when the connection failed, at most `tries` times in all.
struct PersistentInterceptor: Interceptor {
  var tries = 3
  var pause = Duration.milliseconds(200)

  func send(_ request: Request, next: Next) async throws -> Response {
    for attempt in 1..<tries {
      do {
        return try await next.send(request)
      } catch let error as MartletError where isRetryable(request, error) {
        try await Task.sleep(for: pause * attempt)
      }
    }
    return try await next.send(request)
  }

  private func isRetryable(_ request: Request, _ error: MartletError) -> Bool {
    let codes: Set<MartletError.Code> = [.connectionLost, .bodyTruncated, .timedOut]
    let isHarmless = error.isSafeToRetry || [.get, .head].contains(request.method)
    return isHarmless && request.body.isReplayable && codes.contains(error.code)
  }
}

/// Signs what goes out, without waiting.
struct SignatureInterceptor: Interceptor {
  let key: SymmetricKey

  func prepare(_ request: inout Request, context: CallContext) -> RequestPreparation {
    let text = "\(request.method) \(request.url.absoluteString)"
    let code = HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key)
    request.headers[.authorization] = "HMAC " + Data(code).base64EncodedString()
    return .passThrough
  }
}

/// Says what was asked, what came of it, and how long that took.
struct TimingInterceptor: Interceptor {
  let log: @Sendable (String) -> Void

  func send(_ request: Request, next: Next) async throws -> Response {
    let start = ContinuousClock.now
    var end = "failed"
    defer { log("\(request.method) \(request.url.path) \(end) \(start.duration(to: .now))") }
    let response = try await next.send(request)
    end = "\(response.status.code)"
    return response
  }
}

/// What the article on interceptors shows.
@Suite(.timeLimit(.minutes(5)))
struct InterceptorSampleTests {
  @Test func `an interceptor that sends a request again resumes a download`() async throws {
    let server = try await ScriptedServer.start(
      .respond("HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 10\r\n\r\nabcd"),
      .respond(
        "HTTP/1.1 206 Partial\r\nETag: \"a\"\r\nContent-Length: 6\r\n"
          + "Content-Range: bytes 4-9/10\r\nConnection: close\r\n\r\nefghij"))
    let api = HTTPSessionManager(baseURL: server.url()) {
      $0.interceptors.perCall = [PersistentInterceptor(pause: .zero)]
    }
    let target = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: target) }
    let file = try await api.download("big", to: target)
    #expect(try Data(contentsOf: file.url) == Data("abcdefghij".utf8))
    #expect(server.receivedRequests.map { $0.header("Range") } == [nil, "bytes=4-"])
    await server.stop()
  }

  @Test func `what is not worth another try is tried once`() async throws {
    let server = try await ScriptedServer.start(Script([.readRequest, .reset]), repeatsLast: true)
    let api = HTTPSessionManager { $0.interceptors.perCall = [PersistentInterceptor(pause: .zero)] }
    await #expect(throws: MartletError.self) {
      try await api.send(Request(.post, url: server.url(), body: .text("1")))
    }
    #expect(server.receivedRequests.count == 1)
    await server.stop()
  }

  @Test func `a signature is made for every request that goes out`() async throws {
    let server = try await ScriptedServer.start(.redirect(to: "/end"), .text("ok"))
    let key = SymmetricKey(data: Data("secret".utf8))
    let api = HTTPSessionManager { $0.interceptors.perExchange = [SignatureInterceptor(key: key)] }
    _ = try await api.send(Request(url: server.url("/start")))
    for request in server.receivedRequests {
      let text = "\(request.method) \(server.url(request.target).absoluteString)"
      let code = HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key)
      #expect(request.header("Authorization") == "HMAC " + Data(code).base64EncodedString())
    }
    #expect(server.receivedRequests.count == 2)
    await server.stop()
  }

  @Test func `a timing log sees one call above redirects, and two exchanges below`() async throws {
    let server = try await ScriptedServer.start(.redirect(to: "/end"), .text("ok"))
    let lines = Lines()
    let api = HTTPSessionManager {
      $0.interceptors.perCall = [TimingInterceptor { lines.add("call " + $0) }]
      $0.interceptors.perExchange = [TimingInterceptor { lines.add("exchange " + $0) }]
    }
    _ = try await api.send(Request(url: server.url("/start")))
    let beginnings = lines.all.map { $0.split(separator: " ").prefix(4).joined(separator: " ") }
    #expect(
      beginnings == ["exchange GET /start 302", "exchange GET /end 200", "call GET /start 200"])
    await server.stop()
  }
}

/// The lines of a log.
private final class Lines: Sendable {
  private let lines = Mutex<[String]>([])

  var all: [String] { lines.withLock { $0 } }

  func add(_ line: String) { lines.withLock { $0.append(line) } }
}
