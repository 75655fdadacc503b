import EssentialFoundation
import Foundation
import Martlet
import MartletTesting
import NIOCore
import SpecificationCoverage
import TestTiming
import Testing

/// What a manager is, and what its tasks and closures see.
@Suite(.timeLimit(.minutes(5)))
struct ManagerTests {
  /// Throws what is no error of Martlet's.
  private struct Refusing: HTTPRequestSerializing {
    struct Refused: Error {}

    var http = HTTPRequestSerializer()
    func serialize(_ request: Request, parameters: Parameters?) throws -> Request {
      throw Refused()
    }
  }

  private let server: LoopbackServer
  private let api: HTTPSessionManager

  init() async throws {
    server = try await LoopbackServer.start()
    api = HTTPSessionManager(baseURL: server.url("/")) { $0.completionQueue = .global() }
  }

  @Test(.covers("HTM-4", "HTM-5", "HTM-6"))
  func `a manager begins with a base URL, which stays, and with serializers for HTTP`() async throws
  {
    let base = try #require(api.baseURL)
    #expect(api.requestSerializer is HTTPRequestSerializer)
    #expect(api.responseSerializer is JSONResponseSerializer)
    #expect(api.responseSerializer.http.acceptableStatusCodes == Set(200...299))
    api.requestSerializer = JSONRequestSerializer()
    api.responseSerializer = HTTPResponseSerializer()
    _ = try await api.get("redirect/1")
    #expect(api.baseURL == base)
  }

  @Test(.covers("SES-L1", "HTM-5", "HTM-7"))
  func `a manager can be made with a configuration`() async throws {
    var configuration = SessionConfiguration()
    configuration.redirectPolicy = .disabled
    let api = HTTPSessionManager(baseURL: server.url("/"), configuration: configuration)
    #expect(try await api.send(api.request(.get, "redirect/1")).status == .found)
    #expect(api.responseSerializer is JSONResponseSerializer)
    #expect(api.completionQueue == nil && api.session.tasks.isEmpty)
  }

  @Test(.covers("HTM-22", "SES-S2", "T-HTM-12"))
  func `a copy has the same settings, and a session of its own`() async throws {
    let api = HTTPSessionManager(baseURL: server.url("/")) {
      $0.requestSerializer = JSONRequestSerializer()
      $0.responseSerializer = HTTPResponseSerializer()
      $0.redirectPolicy = .disabled
    }
    api.session.onTaskCompletion = { _, _ in }
    let copy = api.copy()
    #expect(copy.baseURL == api.baseURL)
    #expect(copy.requestSerializer is JSONRequestSerializer)
    #expect(copy.responseSerializer is HTTPResponseSerializer)
    #expect(copy.session.configuration.redirectPolicy == .disabled)
    #expect(copy.completionQueue == nil && copy.session.onTaskCompletion == nil)
    api.session.invalidateSession(cancelingTasks: true)
    #expect(try await copy.send(copy.request(.get, "get")).status == .ok)
    #expect(copy.session.copy().responseSerializer is HTTPResponseSerializer)
  }

  @Test(.covers("SES-P11"))
  func `verbs without a progress closure have progress all the same`() async throws {
    let made = api.put("put", parameters: ["a": "b"], success: { _, _ in })
    let task = try #require(made)
    #expect(try await task.value.status == .ok)
    #expect(task.uploadProgress.fractionCompleted == 1)
    #expect(task.downloadProgress.fractionCompleted == 1)
  }

  @Test(.covers("HTM-8", "SES-L12"))
  func `a manager and its session describe themselves`() throws {
    let api = HTTPSessionManager(baseURL: URL(string: "http://ada:secret@h/v1"))
    #expect(api.description == "<HTTPSessionManager baseURL: http://***@h/v1/>")
    #expect(HTTPSessionManager().description == "<HTTPSessionManager baseURL: none>")
    let task = try #require(api.dataTask(.get, "x"))
    #expect(api.session.description == "<URLSessionManager: 1 task>")
    api.session.invalidateSession(cancelingTasks: false)
    #expect(api.session.description == "<URLSessionManager: 1 task, invalidated>")
    task.cancel()
  }

  @Test func `nothing that can be dumped shows the user of a base URL`() async throws {
    let url = try #require(URL(string: "http://hoopoe%2Dname:hoopoe%2Dsecret@127.0.0.1:1/v1"))
    let api = HTTPSessionManager(baseURL: url)
    let waiting = try #require(api.dataTask(.get, "x"))
    let failed = await withCheckedContinuation { done in
      api.get("y", success: { _, _ in }, failure: { task, _ in done.resume(returning: task) })
    }
    let error = await #expect(throws: MartletError.self) { try await api.get("z") }
    for value in [api, api.session, waiting, failed as Any, error as Any] as [Any] {
      var dumped = ""
      dump(value, to: &dumped)
      for text in [dumped, String(describing: value), String(reflecting: value), "\([value])"] {
        #expect(!text.contains("hoopoe"))
        // What the engine's thread uses is not to be read on another.
        #expect(!text.contains("EventLoop"))
      }
    }
    waiting.cancel()
  }

  @Test(.covers("HTM-10", "T-HTM-08"))
  func `a data task is suspended, and has the headers of the call and the default`() throws {
    var serializer = HTTPRequestSerializer()
    try serializer.setValue("default", forHTTPHeaderField: "X-Foo")
    try serializer.setValue("other", forHTTPHeaderField: "X-Bar")
    api.requestSerializer = serializer
    let task = try #require(api.dataTask(.get, "get", headers: ["X-Foo": "per call"]))
    #expect(task.state == .suspended)
    let sent = task.originalRequest.headers
    #expect(try sent[HTTPField.Name(validating: "X-Foo")] == "per call")
    #expect(try sent[HTTPField.Name(validating: "X-Bar")] == "other")
    #expect(server.requestCount == 0)
    task.cancel()
  }

  @Test(.covers("HTM-12", "HTM-13"))
  func `a request serializer makes a request or throws; it cannot do neither`() async {
    api.requestSerializer = Refusing()
    let error: MartletError = await withCheckedContinuation { done in
      let task = api.dataTask(.get, "get", failure: { done.resume(returning: $1) })
      #expect(task == nil)
    }
    #expect(error.code == .invalidParameters)
    #expect(error.underlying is Refusing.Refused)
  }

  @Test(.covers("HTM-15"), arguments: ["get", "status/404", "http://[::1"])
  func `a closure that is missing is not called`(path: String) async throws {
    let task = api.dataTask(.get, path)
    task?.resume()
    api.get(path, success: { _, _ in })
    try await eventually { api.session.tasks.isEmpty }
    #expect((task == nil) == path.hasPrefix("http"))
    #expect(task.map { $0.state == .completed } ?? true)
  }

  @Test(.covers("HTM-20"), arguments: [200, 404])
  func `closures get the task that the call returned, however early it ends`(status: Int)
    async throws
  {
    let api = HTTPSessionManager(baseURL: URL(string: "http://h/")) {
      $0.completionQueue = .global()
      $0.transport = InProcessTransport { request in
        Response(head: ResponseHead(status: .init(code: status)), url: request.url)
      }
    }
    for _ in 0..<50 {
      let told = Locked<SessionTask?>(nil)
      let task = api.get("x") { task, _ in
        told.withLock { $0 = task }
      } failure: { task, _ in
        told.withLock { $0 = task }
      }
      try await eventually { told.current != nil }
      #expect(told.current === task)
    }
  }

  @Test(.covers("HTM-14", "HTM-16"), arguments: ["put", "patch", "delete"])
  func `the other verbs call closures as well`(verb: String) async throws {
    typealias Closures = (HTTPSessionManager.Success, HTTPSessionManager.Failure)
    let call: (Closures) -> SessionTask? = { closures in
      switch verb {
      case "put": api.put("put", parameters: ["a": "b"], success: closures.0, failure: closures.1)
      case "patch":
        api.patch("patch", parameters: ["a": "b"], success: closures.0, failure: closures.1)
      default:
        api.delete("delete", parameters: ["a": "b"], success: closures.0, failure: closures.1)
      }
    }
    let object: (any Sendable)? = try await withCheckedThrowingContinuation { done in
      _ = call(({ done.resume(returning: $1) }, { done.resume(throwing: $1) }))
    }
    let echo = try #require(object as? JSON)
    #expect(echo[verb == "delete" ? "args" : "form"]?["a"]?.stringValue == "b")
  }

  @Test func `what a response serializer throws is about decoding`() async throws {
    struct Refusing: HTTPResponseSerializing {
      struct Refused: Error {}
      var http = HTTPResponseSerializer()
      func serialize(_ response: Response, data: Data) throws -> Data { throw Refused() }
    }
    api.responseSerializer = Refusing()
    let error: MartletError? = await withCheckedContinuation { done in
      api.get("get") { _, _ in
        done.resume(returning: nil)
      } failure: { _, error in
        done.resume(returning: error)
      }
    }
    #expect(error?.code == .decodingFailed)
    #expect(error?.phase == .decode)
    #expect(error?.underlying is Refusing.Refused)
    #expect(error?.response?.status == .ok)
  }

  @Test func `a value is decoded of what the manager's own serializer accepts`() async throws {
    struct Picky: HTTPResponseSerializing {
      var http = HTTPResponseSerializer()
      func validate(_ response: Response, data: Data) throws {
        throw MartletError(.unacceptableStatusCode, "Not today.")
      }
      func serialize(_ response: Response, data: Data) throws -> Data { data }
    }
    api.responseSerializer = Picky()
    await #expect {
      let _: Echo = try await api.get("get")
    } throws: { ($0 as? MartletError)?.message == "Not today." }
  }

  @Test func `an optional that holds nothing is no parameters`() {
    struct Filter: Encodable, Sendable { var name = "Ada" }
    var requests: [Request] = []
    let api = HTTPSessionManager(baseURL: URL(string: "http://h/")) {
      $0.requestSerializer = JSONRequestSerializer()
      $0.transport = InProcessTransport { request in
        Response(head: ResponseHead(status: .ok), url: request.url)
      }
    }
    for filter in [nil, Filter()] {
      let parameters = filter.map { Parameters.encodable($0) }
      let post = api.post("x", parameters: parameters, success: { _, _ in })
      let get = api.get("x", parameters: parameters, success: { _, _ in })
      requests += [post, get].compactMap { $0?.originalRequest }
    }
    #expect(requests.map(\.body.isEmpty) == [true, true, false, true])
    #expect(requests.map(\.target) == ["/x", "/x", "/x", "/x?name=Ada"])
  }
}
