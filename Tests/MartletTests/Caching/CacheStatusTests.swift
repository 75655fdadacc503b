import EssentialFoundation
import Foundation
import HTTPTypes
import MartletCore
import NIOCore
import SpecificationCoverage
import Testing

@testable import Martlet
@testable import MartletEssentials

/// What the cache says about each response (RFC 9211).
@Suite(.timeLimit(.minutes(5)))
struct CacheStatusTests {
  @Test(
    .covers("9211-2.1-a", "9211-2.1-b"),
    arguments: [
      ([.ifNoneMatch: "\"a\""], 304), ([.range: "bytes=0-0"], 206), ([.range: "bytes=9-"], 416),
      ([:], 200),
    ] as [(HTTPFields, Int)])
  func `a response that the cache has made from a stored one is a hit (§2·1)`(
    headers: HTTPFields, status: Int
  ) async throws {
    let rig = CacheRig(
      answering: (200, [.cacheControl: "max-age=60", .eTag: "\"a\"", .contentLength: "1"]))
    try await rig.send()
    let response = try await rig.send(.get, "/", headers)
    #expect(response.status.code == status)
    #expect(response.headers[values: .cacheStatus] == ["Martlet; hit; ttl=60"])
  }

  @Test(.covers("9211-2.2-a"))
  func `the reason for a request is the most specific one (§2·2)`() async throws {
    let fields: HTTPFields = [
      .cacheControl: "max-age=60", .eTag: "\"a\"", .contentLength: "2",
    ]
    let rig = CacheRig { request, number in
      guard number == 1 else { return .reply(200, fields, "01", to: request) }
      var part = fields
      part[.contentRange] = "bytes 0-0/2"
      part[.contentLength] = "1"
      return .reply(206, part, "0", to: request)
    }
    func reason(_ headers: HTTPFields = [:], _ policy: Request.CachePolicy? = nil) async throws
      -> CacheStatus.ForwardReason?
    {
      try await rig.send(.get, "/", headers, policy: policy).cacheStatus?.forwardReason
    }
    #expect(try await reason([.range: "bytes=0-0"]) == .uriMiss)
    #expect(try await reason([.range: "bytes=1-1"]) == .partial)
    #expect(try await reason([.cacheControl: "no-cache"]) == .request)
    rig.wait(61)
    #expect(try await reason([.cacheControl: "no-cache"]) == .stale)
    rig.wait(61)
    #expect(try await reason() == .stale)
    #expect(try await reason([.ifMatch: "\"a\""]) == .bypass)
  }

  @Test(.covers("9211-2.2-a"), arguments: Request.CachePolicy.allCases)
  func `nothing is stored, whatever the policy is (§2·2)`(policy: Request.CachePolicy) async throws
  {
    guard policy != .returnCacheDataDontLoad else { return }
    let rig = CacheRig(answering: (200, [:]))
    let status = try await rig.send(.get, "/", policy: policy).cacheStatus
    #expect(status?.forwardReason == .uriMiss)
  }

  @Test(.covers("9211-2.5-a"))
  func `a response that is not stored does not say that it is (§2·5)`() async throws {
    let rig = CacheRig(answering: (200, [.cacheControl: "no-store"]), (200, [:]))
    #expect(
      try await rig.send().headers[.cacheStatus] == "Martlet; fwd=uri-miss; fwd-status=200")
    #expect(try await rig.send().cacheStatus?.isStored == true)
  }

  @Test(
    .covers("9211-2-c", "9211-2.8-a"),
    arguments: [
      ("Martlet", "Martlet"), ("cache-3.example.com", "cache-3.example.com"),
      ("two words", "\"two words\""), ("3", "\"3\""), ("", "\"\""), ("a\"b\\c", "\"a\\\"b\\\\c\""),
      ("a\r\nb", "\"a??b\""),
    ])
  func `names and details are tokens or strings (§2, §2·8)`(text: String, written: String) {
    var status = CacheStatus(cache: text, forwardReason: nil)
    status.detail = text
    #expect(status.description == "\(written); hit; detail=\(written)")
  }
}
