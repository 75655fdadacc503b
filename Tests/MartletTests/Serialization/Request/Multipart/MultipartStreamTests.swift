import Foundation
import Martlet
import NIOCore
import SpecificationCoverage
import Testing

/// Parts that are read while they are sent.
@Suite(.timeLimit(.minutes(5)))
struct MultipartStreamTests {
  private struct Broken: Error {}

  private func formOf(_ content: RequestBody) throws -> MultipartFormData {
    try form { try $0.append(content, name: "tern", fileName: "t", mimeType: "a/b") }
  }

  @Test(.covers("REQ-M8", "REQ-M25"))
  func `a Foundation stream is read`() async throws {
    let data = Data(repeating: UInt8(ascii: "x"), count: 600_000)
    let text = try await form {
      try $0.append(
        { InputStream(data: data) }, name: "f", fileName: "x", length: 600_000, mimeType: "a/b")
    }.text()
    #expect(text.hasSuffix("\r\n\r\n" + String(repeating: "x", count: 600_000) + "\r\n--B--\r\n"))
  }

  @Test func `the length is unknown when that of a part is`() throws {
    #expect(try formOf(.stream { InputStream(data: Data()) }).encoded().body.length == nil)
    #expect(try formOf(.sequence(Chunks(texts: []))).encoded().body.length == nil)
    #expect(
      try form {
        for _ in 0..<2 {
          try $0.append(
            .producer(length: .max) { _ in }, name: "f", fileName: "x", mimeType: "a/b")
        }
      }.encoded().body.length == nil)
  }

  @Test(
    .covers("REQ-M22"),
    arguments: [
      (2, "The part “tern” was announced with 2 bytes but gave 3: the request was not completed."),
      (4, "The part “tern” was announced with 4 bytes but gave 3: the request was not completed."),
    ] as [(Int64, String)])
  func `a stream that ends early or late is an error`(length: Int64, sentence: String) async throws
  {
    let bodies: [RequestBody] = [
      .stream(length: length) { InputStream(data: Data("abc".utf8)) },
      .sequence(Chunks(texts: ["a", "bc"]), length: length),
    ]
    for body in bodies {
      await #expect {
        _ = try await formOf(body).encoded().body.chunks()
      } throws: {
        let error = $0 as? MartletError
        return error?.code == .bodyLengthMismatch && error?.message == sentence
      }
    }
  }

  @Test(.covers("REQ-M27", "REQ-M32"))
  func `a stream that fails is an error`() async throws {
    await #expect(throws: Broken.self) {
      try await formOf(.stream { throw Broken() }).encoded().body.chunks()
    }
    let sequence = RequestBody.sequence(Chunks(texts: ["a"], failure: Broken()), length: 5)
    await #expect(throws: Broken.self) { try await formOf(sequence).encoded().body.chunks() }
    await #expect(throws: (any Error).self) {
      try await formOf(.stream { InputStream(fileAtPath: "/nowhere") ?? InputStream(data: Data()) })
        .encoded().body.chunks()
    }
  }

  @Test(.covers("REQ-M29", "REQ-M37", "REQ-M39"))
  func `a form can be sent again from its first byte when all parts can`() async throws {
    let (body, _) = try formOf(.stream(length: 3) { InputStream(data: Data("abc".utf8)) }).encoded()
    #expect(body.isReplayable)
    #expect(try await body.collected() == body.collected())
    #expect(try !formOf(.sequence(Chunks(texts: []))).encoded().body.isReplayable)
  }

  @MainActor
  @Test(.covers("REQ-M28"))
  func `a form is read while the main thread is blocked`() throws {
    let (body, _) = try formOf(.stream { InputStream(data: Data("abc".utf8)) }).encoded()
    let read = DispatchSemaphore(value: 0)
    Task.detached {
      _ = try await body.chunks()
      read.signal()
    }
    #expect(read.wait(timeout: .now() + 60) == .success)
  }
}
