import Foundation
import Martlet
import MartletTesting
import NIOCore
import Testing

/// A compressed body that ends too early, all the way up to the caller that expects a value.
@Suite(.timeLimit(.minutes(5)))
struct TruncatedBodyTests {
  private func manager() throws -> HTTPSessionManager {
    var body = try Deflate.compressed(ByteBuffer(string: #"{"name":"Ada"}"#), as: .gzip)
    body.moveWriterIndex(to: body.writerIndex - 4)
    let half = body
    return HTTPSessionManager {
      $0.transport = InProcessTransport { request in
        let head = ResponseHead(
          status: .ok, headers: [.contentEncoding: "gzip", .contentType: "application/json"])
        return Response(head: head, url: request.url, body: ResponseBody(bytes: half))
      }
    }
  }

  private static let sentence =
    "The body is marked as gzip but cannot be decompressed: it ends too early."

  @Test func `a truncated gzip body is an error for typed results`() async throws {
    let manager = try manager()
    await #expect {
      let _: JSON = try await manager.get("http://h/")
    } throws: { error in
      (error as? MartletError)?.message == Self.sentence
    }
  }

  @Test func `a truncated gzip body is an error for closures`() async throws {
    let manager = try manager()
    let error = await withCheckedContinuation { done in
      _ = manager.get(
        "http://h/", success: { _, _ in done.resume(returning: MartletError?.none) },
        failure: { _, error in done.resume(returning: error) })
    }
    #expect(error?.message == Self.sentence)
    #expect(error?.code == .contentDecodingFailed)
  }
}
