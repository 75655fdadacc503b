import EssentialFoundation
import Foundation
import Martlet
import MartletTesting
import NIOCore
import SpecificationCoverage
import Testing

/// What the routes that echo a request answer.
struct Echo: Decodable, Sendable, Equatable {
  var args: [String: String] = [:]
  var form: [String: String]?
  var json: [String: String]?
  var headers: [String: String] = [:]
  var url = ""
}

/// The verbs as applications call them.
@Suite(.timeLimit(.minutes(5)))
struct HttpbinVerbTests {
  private let server: Httpbin
  private let api: HTTPSessionManager

  init() async throws {
    server = try await Httpbin()
    api = HTTPSessionManager(baseURL: server.base)
  }

  private let headers: RequestHeaders = ["Field": "per call"]

  /// A manager whose serializer has a default header that each call replaces.
  private func managerWithDefault() throws -> HTTPSessionManager {
    var serializer = HTTPRequestSerializer()
    try serializer.setValue("default", forHTTPHeaderField: "Field")
    api.requestSerializer = serializer
    return api
  }

  @Test(.covers("T-HTM-02", "T-HTM-21", "HTM-10", "HTM-16"))
  func `GET succeeds with an object`() async throws {
    let echo: Echo = try await api.get("get", parameters: ["q": "terns"])
    #expect(echo.args == ["q": "terns"])
    let (task, object) = try await succeed { api.get("get", success: $0, failure: $1) }
    #expect(task.state == .completed)
    #expect(task.error == nil)
    #expect(
      (object as? JSON)?["url"]?.stringValue == server.url("get").absoluteString)
  }

  @Test(.covers("T-HTM-03", "T-HTM-17", "HTM-14"))
  func `a 404 fails`() async throws {
    let failed: (task: SessionTask?, error: MartletError) = await withCheckedContinuation { done in
      api.get("status/404") { _, object in
        Issue.record("succeeded with \(String(describing: object))")
      } failure: { task, error in
        done.resume(returning: (task, error))
      }
    }
    #expect(failed.task?.state == .completed)
    #expect(failed.error.code == .unacceptableStatusCode)
    #expect(failed.error.message == "Request failed: not found (404)")
    #expect(failed.error.response?.status == .notFound)
  }

  @Test(.covers("T-HTM-16", "T-HTM-18", "RES-J2"), arguments: [200, 204])
  func `an empty answer succeeds without an object`(status: Int) async throws {
    let (_, object) = try await succeed {
      api.get("status/\(status)", success: $0, failure: $1)
    }
    #expect(object == nil)
  }

  @Test(.covers("T-HTM-22", "HTM-17"))
  func `HEAD succeeds with a task and no object`() async throws {
    let task: SessionTask = await withCheckedContinuation { done in
      api.head("get") { done.resume(returning: $0) }
    }
    #expect(task.response?.status == .ok)
    #expect(task.response?.body.bytes?.readableBytes == 0)
    #expect(try await api.head("get").status == .ok)
  }

  @Test(.covers("T-HTM-19", "HTM-11"))
  func `POST sends a form, and a header of the call replaces the default`() async throws {
    let api = try managerWithDefault()
    let echo: Echo = try await api.post("post", parameters: ["key": "value"], headers: headers)
    #expect(echo.form == ["key": "value"])
    #expect(echo.headers["Field"] == "per call")
  }

  @Test(.covers("T-HTM-23"))
  func `PUT sends a form`() async throws {
    let api = try managerWithDefault()
    let echo: Echo = try await api.put("put", parameters: ["key": "value"], headers: headers)
    #expect(echo.form == ["key": "value"])
    #expect(echo.headers["Field"] == "per call")
  }

  @Test(.covers("T-HTM-25"))
  func `PATCH sends a form`() async throws {
    let api = try managerWithDefault()
    let echo: Echo = try await api.patch("patch", parameters: ["key": "value"], headers: headers)
    #expect(echo.form == ["key": "value"])
    #expect(echo.headers["Field"] == "per call")
  }

  @Test(.covers("T-HTM-24"))
  func `DELETE sends its parameters in the URL`() async throws {
    let api = try managerWithDefault()
    let echo: Echo = try await api.delete("delete", parameters: ["key": "value"], headers: headers)
    #expect(echo.args == ["key": "value"])
    #expect(echo.headers["Field"] == "per call")
  }

  @Test func `PUT, PATCH and DELETE return what a serializer makes of the response`() async throws {
    let serializer = TextResponseSerializer()
    let parameters: Parameters = ["key": "value"]
    let texts = [
      try await api.put("put", parameters: parameters, with: serializer),
      try await api.patch("patch", parameters: parameters, with: serializer),
      try await api.delete("delete", parameters: parameters, with: serializer),
    ]
    let echoes = try texts.map { try JSONDecoder().decode(Echo.self, from: Data($0.utf8)) }
    #expect(echoes.map(\.form) == [["key": "value"], ["key": "value"], [:]])
    #expect(echoes.map(\.args) == [[:], [:], ["key": "value"]])
  }

  @Test(.covers("T-HTM-26", "REQ-H7"))
  func `credentials of the serializer are sent without being asked for`() async throws {
    var serializer = HTTPRequestSerializer()
    serializer.setAuthorization(username: "user", password: "password")
    api.requestSerializer = serializer
    let response = try await api.get("hidden-basic-auth/user/password")
    #expect(response.status == .ok)
  }

  @Test(.covers("REQ-J4"))
  func `JSON parameters arrive as JSON`() async throws {
    api.requestSerializer = JSONRequestSerializer()
    let echo: Echo = try await api.post("post", parameters: ["key": "value"])
    #expect(echo.json == ["key": "value"])
  }

  @Test(.covers("T-HTM-14", "HTM-18", "SES-P5", "SES-P7"))
  func `the progress of GET reaches 1`() async throws {
    let reached = Locked(0.0)
    let (_, _) = try await succeed { success, failure in
      api.responseSerializer = HTTPResponseSerializer()
      return api.get(
        "bytes/20000",
        progress: { progress in reached.withLock { $0 = progress.fractionCompleted } },
        success: success, failure: failure)
    }
    #expect(reached.current == 1)
  }

  @Test(.covers("T-HTM-15", "T-SES-07", "SES-P3", "SES-P10"))
  func `the progress of POST reaches 1`() async throws {
    let reached = Locked(0.0)
    let text = String(repeating: "x", count: 20_000)
    let (_, _) = try await succeed { success, failure in
      api.post(
        "post", parameters: ["text": text],
        progress: { progress in reached.withLock { $0 = progress.fractionCompleted } },
        success: success, failure: failure)
    }
    #expect(reached.current == 1)
  }

  @Test(.covers("T-HTM-07", "HTM-12", "REQ-H19"))
  func `a request that cannot be made has no task`() async throws {
    struct Refused: Error {}
    var serializer = HTTPRequestSerializer()
    serializer.queryStringStyle = .custom { _, _ in throw Refused() }
    api.requestSerializer = serializer
    let error: MartletError = await withCheckedContinuation { done in
      let task = api.get("get", parameters: ["a": 1], success: { _, _ in }) { task, error in
        #expect(task == nil)
        done.resume(returning: error)
      }
      #expect(task == nil)
    }
    #expect(error.code == .invalidParameters)
    #expect(error.underlying is Refused)
    await #expect {
      try await api.get("get", parameters: ["a": 1])
    } throws: { error in
      let error = error as? MartletError
      return error?.message
        == "The parameters cannot be encoded: the request serializer threw “Refused()”."
        && error?.underlying is Refused
    }
  }

  @Test(.covers("T-HTM-01", "HTM-7"))
  func `managers are independent`() {
    let other = HTTPSessionManager(baseURL: server.base)
    other.requestSerializer = JSONRequestSerializer()
    #expect(api.requestSerializer is HTTPRequestSerializer)
    #expect(api !== other)
  }

  /// Runs a call with closures to its success.
  private func succeed(
    _ call: (@escaping HTTPSessionManager.Success, @escaping HTTPSessionManager.Failure) ->
      SessionTask?
  ) async throws -> (SessionTask, (any Sendable)?) {
    try await withCheckedThrowingContinuation { done in
      _ = call(
        { done.resume(returning: ($0, $1)) },
        { done.resume(throwing: $1) })
    }
  }
}
