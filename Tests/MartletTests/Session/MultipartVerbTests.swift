import EssentialFoundation
import Foundation
import Martlet
import MartletTesting
import NIOCore
import SpecificationCoverage
import Synchronization
import TestTiming
import Testing

/// Forms as applications send them.
@Suite(.timeLimit(.minutes(5)))
struct HttpbinMultipartTests {
  private struct Answer: Decodable, Sendable {
    var form: [String: String]
    var files: [String: String]
    var headers: [String: String]
  }

  private let server: Httpbin
  private let api: HTTPSessionManager

  init() async throws {
    server = try await Httpbin()
    api = HTTPSessionManager(baseURL: server.base) { $0.completionQueue = .global() }
  }

  private let append: @Sendable (inout MultipartFormData) throws -> Void = {
    try $0.append(
      fileData: Data("Data".utf8), name: "DataName", fileName: "DataFileName",
      mimeType: "text/plain")
  }

  @Test(.covers("T-HTM-20", "HTM-19"))
  func `a form arrives with its field, its file and the header of the call`() async throws {
    try api.updateRequestSerializer { try $0.http.setValue("default", forHTTPHeaderField: "Field") }
    let answer: Answer = try await api.post(
      "post", parameters: ["key": "value"], headers: ["Field": "per call"],
      constructingBody: append)
    #expect(answer.form == ["key": "value"])
    #expect(answer.files == ["DataName": "Data"])
    #expect(answer.headers["Field"] == "per call")
    #expect(answer.headers["Content-Length"] == "250")
  }

  @Test(.covers("T-HTM-13", "HTM-18", "HTM-19", "SES-P9"))
  func `with closures the upload's progress reaches 1`() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("a.txt", String(repeating: "x", count: 20_000))
    let fraction = Locked(0.0)
    let object: JSON? = try await withCheckedThrowingContinuation { done in
      api.post(
        "post",
        constructingBody: { try $0.append(fileAt: file, name: "file") },
        progress: { progress in fraction.withLock { $0 = progress.fractionCompleted } },
        success: { _, object in done.resume(returning: object as? JSON) },
        failure: { _, error in done.resume(throwing: error) })
    }
    #expect(fraction.current == 1)
    #expect(object?["files"]?["file"]?.stringValue?.count == 20_000)
  }

  @Test func `with await the upload's progress reaches 1`() async throws {
    let progress = Locked<TransferProgress?>(nil)
    struct Caption: Encodable { var caption = "A tern" }
    let response = try await api.post(
      "post", parameters: .encodable(Caption()),
      constructingBody: append,
      progress: { now in progress.withLock { $0 = now } })
    #expect(response.status == .ok)
    #expect(progress.current?.fractionCompleted == 1)
    #expect(progress.current?.completed == progress.current?.total)
  }

  @Test(.covers("HTM-19"))
  func `a form's task is an upload task, called with closures or with await`() async throws {
    let kinds = Locked<[SessionTask.Kind]>([])
    api.session.onTaskCompletion = { task, _ in kinds.withLock { $0.append(task.kind) } }
    let made = api.post("post", constructingBody: append, success: { _, _ in })
    let task = try #require(made)
    #expect(task.kind == .upload)
    _ = try await task.value
    _ = try await api.post("post", constructingBody: append)
    // A form without parts is sent as one, too.
    let empty = api.post("post", constructingBody: { _ in }, success: { _, _ in })
    #expect(empty?.kind == .upload)
    _ = try await empty?.value
    try await eventually { kinds.current.count == 3 }
    #expect(kinds.current == [.upload, .upload, .upload])
  }

  @Test(.covers("HTM-19", "SES-T10"))
  func `a form that is under way is among the upload tasks of its session`() async throws {
    let api = HTTPSessionManager(baseURL: server.base)
    let made = api.post("delay/10", constructingBody: append, success: { _, _ in })
    let task = try #require(made)
    #expect(api.session.uploadTasks.map(\.taskIdentifier) == [task.taskIdentifier])
    #expect(api.session.dataTasks.isEmpty)
    task.cancel()
  }

  @Test func `values that encode themselves are fields`() async throws {
    struct Caption: Encodable { var caption = "A tern" }
    let answer: Answer = try await api.post(
      "post", parameters: .encodable(Caption()), constructingBody: append)
    #expect(answer.form == ["caption": "A tern"])
    let object: JSON? = try await withCheckedThrowingContinuation { done in
      api.post(
        "post", parameters: .encodable(Caption()), constructingBody: append,
        success: { _, object in done.resume(returning: object as? JSON) },
        failure: { _, error in done.resume(throwing: error) })
    }
    #expect(object?["form"]?["caption"]?.stringValue == "A tern")
  }

  @Test func `a form without a known length is sent in chunks`() async throws {
    let answer: Answer = try await api.post("post") { form in
      try form.append(
        .sequence(Chunks(texts: ["a", "b"])), name: "s", fileName: "s", mimeType: "text/plain")
    }
    #expect(answer.files == ["s": "ab"])
    #expect(answer.headers["Content-Length"] == nil)
  }

  @Test(.covers("HTM-11"))
  func `a content type of the call is refused, because it would lose the boundary`() async throws {
    let headers: RequestHeaders = [.contentType: "multipart/form-data"]
    let sentence =
      "A multipart form sets its own “Content-Type”, which names the boundary between its parts: leave that header out."
    for headers in [headers, [.contentType: nil]] {
      await #expect {
        _ = try await api.post("post", headers: headers, constructingBody: append)
      } throws: {
        ($0 as? MartletError)?.message == sentence
      }
    }
    let error: MartletError = await withCheckedContinuation { done in
      let task = api.post(
        "post", headers: headers, constructingBody: append, success: { _, _ in }
      ) { task, error in
        #expect(task == nil)
        done.resume(returning: error)
      }
      #expect(task == nil)
    }
    #expect(error.message == sentence)
  }

  @Test func `other methods than POST take forms`() async throws {
    let request = try api.multipartFormRequest(.put, "put", constructingBody: append)
    #expect(request.method == .put)
    let answer = try await JSONDecoder().decode(
      Answer.self, from: Data(api.send(request).body.bytes?.readableBytesView ?? ByteBufferView()))
    #expect(answer.files == ["DataName": "Data"])
  }

  @Test(.covers("REQ-M37", "REQ-M38"))
  func `a redirect sends the form again, as slowly as before`() async throws {
    // A server may answer before it has read the form: only the form after the redirect is read to its end.
    let redirected = Mutex<ContinuousClock.Instant?>(nil)
    api.session.onRedirect = { _, _, proposed in
      redirected.withLock { $0 = .now }
      return proposed
    }
    let answer: Answer = try await api.post(
      "redirect-to?status_code=307&url=/post", parameters: ["key": "value"]
    ) { form in
      try append(&form)
      try form.throttleBandwidth(packetSize: 50, delay: .milliseconds(20))
    }
    #expect(answer.form == ["key": "value"])
    #expect(answer.files == ["DataName": "Data"])
    let start = try #require(redirected.withLock { $0 })
    // More than four packets; the answer does not wait for the pause behind the last.
    #expect(.now - start >= .milliseconds(4 * 20))
  }
}

/// Forms that go wrong on the way.
@Suite(.timeLimit(.minutes(5)))
struct BrokenUploadTests {
  private let server: LoopbackServer
  private let api: HTTPSessionManager

  init() async throws {
    server = try await LoopbackServer.start()
    api = HTTPSessionManager(baseURL: server.url("/"))
  }

  @Test(.covers("REQ-M22", "REQ-M32"), arguments: [2, 4] as [Int64])
  func `a stream of another length fails the request, and no connection is left broken`(
    length: Int64
  ) async throws {
    for _ in 1...3 {
      await #expect {
        _ = try await api.post("post") { form in
          try form.append(
            { InputStream(data: Data("abc".utf8)) }, name: "tern", fileName: "t", length: length,
            mimeType: "a/b")
        }
      } throws: {
        let error = $0 as? MartletError
        return error?.code == .bodyLengthMismatch && error?.request?.url.path == "/post"
          && error?.message
            == "The part “tern” was announced with \(length) bytes but gave 3: the request was not completed."
      }
    }
    #expect(try await api.get("get").status == .ok)
    try await server.waitForOpenConnections(1)
  }

  @Test(.covers("REQ-M27", "REQ-M32"))
  func `a stream that fails fails the request`() async throws {
    struct Broken: Error {}
    await #expect {
      _ = try await api.post("post") { form in
        try form.append(
          .sequence(Chunks(texts: ["a"], failure: Broken())), name: "s", fileName: "s",
          mimeType: "a/b")
      }
    } throws: {
      let error = $0 as? MartletError
      return error?.code == .bodyNotReadable && error?.underlying is Broken
        && error?.message == "The body of the request could not be read: Broken()."
    }
    #expect(try await api.get("get").status == .ok)
    try await server.waitForOpenConnections(1)
  }

  @Test func `a file that grows while it is sent fails the request`() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("log", "12345")
    await #expect {
      _ = try await api.post("post") { form in
        try form.append(fileAt: file, name: "log")
        try Data("123456".utf8).write(to: file)
      }
    } throws: {
      ($0 as? MartletError)?.message
        == "“\(file.path)” became longer before it was sent: do not change it while it is sent, or send a copy."
    }
    #expect(try await api.get("get").status == .ok)
  }

  @Test(.covers("SES-B1"))
  func `a redirect of a form that can be sent only once is an error`() async throws {
    await #expect {
      _ = try await api.post("redirect-to?status_code=307&url=/post") { form in
        try form.append(
          .sequence(Chunks(texts: ["a"])), name: "s", fileName: "s", mimeType: "a/b")
      }
    } throws: {
      ($0 as? MartletError)?.code == .bodyNotReplayable
    }
  }
}
