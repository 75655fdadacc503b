import EssentialFoundation
import Foundation
import HTTPTypes
import MartletCore
import NIOCore
import SpecificationCoverage
import Testing

@testable import Martlet
@testable import MartletEssentials

/// Responses that do not change while they are fresh (RFC 8246).
@Suite(.timeLimit(.minutes(5)))
struct ImmutableTests {
  /// The status of a request that asks for revalidation of a stored response.
  private func status(
    _ control: String, url: String = "https://h/", length: String? = "1",
    _ headers: HTTPFields = [:]
  ) async throws -> CacheStatus? {
    var fields: HTTPFields = [.cacheControl: control, .eTag: "\"a\""]
    fields[.contentLength] = length
    let rig = CacheRig(answering: (200, fields), (304, [.eTag: "\"a\""]))
    var request = try Request(url)
    try await rig.send(request)
    request.headers = headers
    request.options.cachePolicy = .reloadRevalidatingCacheData
    return try await rig.send(request).cacheStatus
  }

  @Test(
    .covers("8246-2-a", "8246-2-c", "8246-2-d"),
    arguments: [
      "max-age=60, immutable", "immutable=1, max-age=60", "immutable=\"no, never\", max-age=60",
      "immutable, max-age=60, immutable", "max-age=60, Immutable",
    ])
  func `an argument and a repetition mean nothing (§2)`(control: String) async throws {
    #expect(try await status(control)?.isHit == true)
  }

  @Test(.covers("8246-2-e")) func `in a request it means nothing (§2)`() async throws {
    let headers: HTTPFields = [.cacheControl: "immutable"]
    #expect(try await status("max-age=60", headers)?.forwardStatus == 304)
  }

  @Test(.covers("8246-3-a"))
  func `it is ignored if the server was not authenticated (§3)`() async throws {
    #expect(try await status("max-age=60, immutable", url: "http://h/")?.forwardStatus == 304)
  }

  @Test(.covers("8246-3-b"), arguments: ["no-cache", "min-fresh=90"])
  func `it is ignored if the request requires a new response (§3)`(control: String) async throws {
    let headers: HTTPFields = [.cacheControl: control]
    #expect(try await status("max-age=60, immutable", headers)?.forwardReason == .request)
  }

  @Test(.covers("8246-3-b"), arguments: [1, 4])
  func `it is ignored by the policies that reload (§3)`(policy: Int) async throws {
    let rig = CacheRig(
      answering: (200, [.cacheControl: "max-age=60, immutable", .contentLength: "1"]))
    var request = try Request("https://h/")
    try await rig.send(request)
    request.options.cachePolicy = Request.CachePolicy(rawValue: policy)
    #expect(try await rig.send(request).body.bytes == ByteBuffer(string: "2"))
  }

  @Test(.covers("8246-3-c"))
  func `it is ignored if the length of the body was not announced (§3)`() async throws {
    #expect(try await status("max-age=60, immutable", length: nil)?.forwardStatus == 304)
  }

  @Test(.covers("8246-2-b"), arguments: ["max-age=0, immutable", "immutable"])
  func `a stale response is revalidated as without it (§2)`(control: String) async throws {
    #expect(try await status(control)?.forwardReason == .stale)
    let rig = CacheRig(
      answering: (200, [.cacheControl: control, .eTag: "\"a\""]), (304, [.eTag: "\"a\""]))
    try await rig.send()
    #expect(try await rig.send().cacheStatus?.forwardReason == .stale)
    #expect(rig.lastHeaders[.ifNoneMatch] == "\"a\"")
  }
}
