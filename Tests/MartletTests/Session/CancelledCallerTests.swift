import Foundation
import HTTPTypes
import Martlet
import MartletTesting
import NIOCore
import SpecificationCoverage
import Testing

/// One rule for every async function: what it throws is a `MartletError`, also when its caller is cancelled.
@Suite(.timeLimit(.minutes(5)))
struct CancelledCallerTests {
  /// An async function of the library that does not end by itself.
  enum Call: CaseIterable {
    case send, response, value, form, taskValue, stream, download, storedDownload, formFile

    func run(_ api: HTTPSessionManager, in folder: URL) async throws {
      switch self {
      case .send: _ = try await api.session.send(api.request(.get, "delay/60"))
      case .response: _ = try await api.get("delay/60") as Response
      case .value: _ = try await api.get("delay/60") as JSON
      case .form: _ = try await api.post("delay/60") { $0.append(text: "a", name: "b") } as Response
      case .taskValue: _ = try await api.dataTask(.get, "delay/60")?.value
      case .stream:
        var request = try api.request(.get, "drip?numbytes=60&duration=60")
        request.delivery = .stream
        _ = try await api.send(request).body.collect()
      case .download: _ = try await api.download("delay/60", to: folder)
      case .storedDownload:
        _ = try await api.download("delay/60", to: folder, store: DownloadStore(folder: folder))
      case .formFile:
        let slow = RequestBody.producer(length: nil) { _ in try await Task.sleep(for: .seconds(60))
        }
        _ = try await HTTPRequestSerializer().request(
          from: Request(.post, "http://h/", body: slow),
          writingStreamContentsTo: folder.appendingPathComponent("form"))
      }
    }
  }

  @Test(arguments: Call.allCases, [true, false])
  func `a cancelled caller gets a MartletError with code cancelled`(call: Call, begun: Bool)
    async throws
  {
    let server = try await LoopbackServer.start()
    let folder = try TemporaryFolder()
    let api = HTTPSessionManager(baseURL: server.url("/"))
    let isCalled = AwaitableValue(false)
    let caller = Task {
      if !begun { withUnsafeCurrentTask { $0?.cancel() } }
      isCalled.update { $0 = true }
      try await call.run(api, in: folder.url)
    }
    try await isCalled.wait { $0 }
    caller.cancel()
    let error = await #expect(throws: MartletError.self) { try await caller.value }
    #expect(error?.code == .cancelled)
  }

  @Test func `a cancelled task wakes an interceptor behind which those of the request are done`()
    async throws
  {
    struct Patient: Interceptor {
      let isWaiting: AwaitableValue<Bool>
      func send(_ request: Request, next: Next) async throws -> Response {
        _ = try await next.send(request)
        isWaiting.update { $0 = true }
        try await Task.sleep(for: .seconds(600))
        return try await next.send(request)
      }
    }
    let isWaiting = AwaitableValue(false)
    let api = HTTPSessionManager {
      $0.interceptors.perCall = [Patient(isWaiting: isWaiting)]
      $0.transport = InProcessTransport { request in .text("", to: request) }
    }
    let caller = Task {
      try await api.get("http://h/") { $0.interceptors = [DecompressionInterceptor()] }
    }
    try await isWaiting.wait { $0 }
    for task in api.session.tasks { task.cancel() }
    let error = await #expect(throws: MartletError.self) { try await caller.value }
    #expect(error?.code == .cancelled)
  }

  @Test
  func `an interceptor that gives up with another error fails the request with a MartletError`()
    async throws
  {
    struct Failing: Interceptor {
      var error: any Error
      func send(_ request: Request, next: Next) async throws -> Response { throw error }
    }
    struct Odd: Error {}
    for (thrown, code) in [(CancellationError(), .cancelled), (Odd(), .connectionLost)]
      as [(any Error, MartletError.Code)]
    {
      let api = HTTPSessionManager { $0.interceptors.perCall = [Failing(error: thrown)] }
      let error = await #expect(throws: MartletError.self) {
        _ = try await api.get("http://h/") as Response
      }
      #expect(error?.code == code)
    }
  }

  @Test func `a serializer of the application's own fails a typed verb with a MartletError`()
    async throws
  {
    struct Odd: Error {}
    struct Picky: HTTPResponseSerializing {
      var http = HTTPResponseSerializer()
      func validate(_ response: Response, data: Data) throws { throw Odd() }
      func serialize(_ response: Response, data: Data) throws -> Data { throw Odd() }
    }
    let api = HTTPSessionManager {
      $0.responseSerializer = Picky()
      $0.transport = InProcessTransport { request in
        Response(head: ResponseHead(status: .ok), url: request.url)
      }
    }
    let error = await #expect(throws: MartletError.self) {
      _ = try await api.get("http://h/") as JSON
    }
    #expect(error?.underlying is Odd)
  }
}
