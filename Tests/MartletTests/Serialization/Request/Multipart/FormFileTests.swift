import EssentialFoundation
import Foundation
import Martlet
import SpecificationCoverage
import Testing

/// Forms that are written to a file.
@Suite(.timeLimit(.minutes(5)))
struct FormFileTests {
  private let folder: TemporaryFolder
  private let file: URL
  private let serializer = HTTPRequestSerializer()

  init() throws {
    folder = try TemporaryFolder()
    file = folder.url.appendingPathComponent("form")
  }

  private func multipart(_ content: RequestBody) throws -> Request {
    try serializer.multipartFormRequest(method: .post, url: .example) {
      try $0.append(content, name: "f", fileName: "x", mimeType: "a/b")
    }
  }

  private var written: String? { try? String(contentsOf: file, encoding: .utf8) }
  private var left: [String]? {
    try? FileManager.default.contentsOfDirectory(atPath: folder.url.path)
  }

  @Test(.covers("REQ-M40", "REQ-M41", "REQ-M43"))
  func `the file becomes the body, in place of what stood there`() async throws {
    try Data("old".utf8).write(to: file)
    let request = try multipart(.stream { InputStream(data: Data(repeating: 65, count: 300_000)) })
    #expect(request.body.length == nil)
    let filed = try await serializer.request(from: request, writingStreamContentsTo: file)
    #expect(filed.headers == request.headers)
    #expect(filed.body.length == written.map { Int64($0.utf8.count) })
    #expect(written == (try await request.body.collected()))
    #expect(left == ["form"])
  }

  @Test(.covers("REQ-M41", "REQ-M42"))
  func `with a completion the request comes back at once, without its body`() async throws {
    let request = try multipart(.text("tern"))
    let bodyless = Locked<Request?>(nil)
    let error: MartletError? = try await withCheckedThrowingContinuation { done in
      do {
        let made = try serializer.request(from: request, writingStreamContentsTo: file) { error in
          MainActor.assertIsolated()
          done.resume(returning: error)
        }
        bodyless.withLock { $0 = made }
      } catch {
        done.resume(throwing: error)
      }
    }
    #expect(error == nil)
    #expect(bodyless.current?.body.isEmpty == true)
    #expect(bodyless.current?.headers == request.headers)
    #expect(written == (try await request.body.collected()))
  }

  @Test(.covers("REQ-M44"))
  func `a file that cannot be written is an error`() async throws {
    let request = try multipart(.text("tern"))
    let nowhere = folder.url.appendingPathComponent("none/form")
    let sentence =
      "“\(nowhere.path)” could not be written: No such file or directory."
    await #expect {
      _ = try await serializer.request(from: request, writingStreamContentsTo: nowhere)
    } throws: {
      ($0 as? MartletError)?.message == sentence
    }
    let error: MartletError? = try await withCheckedThrowingContinuation { done in
      do {
        _ = try serializer.request(from: request, writingStreamContentsTo: nowhere) {
          done.resume(returning: $0)
        }
      } catch {
        done.resume(throwing: error)
      }
    }
    #expect(error?.message == sentence)
  }

  @Test(.covers("REQ-M42", "REQ-M32"))
  func `a part that fails leaves what stood there`() async throws {
    struct Broken: Error {}
    try Data("old".utf8).write(to: file)
    let request = try multipart(.sequence(Chunks(texts: ["a"], failure: Broken())))
    await #expect {
      _ = try await serializer.request(from: request, writingStreamContentsTo: file)
    } throws: {
      let error = $0 as? MartletError
      return error?.code == .bodyNotReadable && error?.underlying is Broken
        && error?.message == "The body of the request could not be read: Broken()."
    }
    #expect(written == "old")
    #expect(left == ["form"])
  }

  @Test(.covers("REQ-M22", "REQ-M44"))
  func `a body of another length than announced leaves no file`() async throws {
    let body = RequestBody.sequence(Chunks(texts: ["abc"]), length: 4)
    await #expect {
      _ = try await serializer.request(
        from: Request(.post, url: .example, body: body), writingStreamContentsTo: file)
    } throws: {
      ($0 as? MartletError)?.message
        == "The body was announced with 4 bytes but gave 3: the request was not completed."
    }
    #expect(left == [])
  }

  @Test(.covers("REQ-M40"))
  func `without a body, or with what is no file URL, there is nothing to write`() async throws {
    await #expect {
      _ = try await serializer.request(
        from: Request(url: .example), writingStreamContentsTo: file)
    } throws: {
      ($0 as? MartletError)?.message == "The request has no body that could be written to a file."
    }
    let request = try multipart(.text(""))
    #expect(
      message { try serializer.request(from: request, writingStreamContentsTo: .example) { _ in } }
        == "Expected URL to be a file URL, not “http://example.com/”.")
  }
}
