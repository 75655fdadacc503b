import EssentialFoundation
import Foundation
import HTTPTypes
import MartletCore
import NIOCore
import SpecificationCoverage
import Testing

@testable import Martlet
@testable import MartletEssentials

/// The rules for a cache of several users (RFC 9111 §3.5, §5.2.2).
@Suite(.timeLimit(.minutes(5)))
struct SharedCacheRuleTests {
  private static let options = {
    var options = CacheOptions()
    options.mode = .shared
    options.acceptedStalenessAfterErrors = 600
    return options
  }()

  /// Whether the second request, of another user and ten seconds after the first, is answered without the server.
  @Test(
    .covers("9111-3.5-a", "9111-3.5-b"),
    arguments: [
      ("max-age=60", false), ("", false), ("private, max-age=60", false),
      ("public, max-age=60", true), ("public, max-age=5", false),
      ("s-maxage=60", true), ("s-maxage=5, max-age=60", false),
      ("must-revalidate, max-age=60", true), ("must-revalidate, max-age=5", false),
    ])
  func `a response for one user is used for others as its directives allow (§3·5)`(
    control: String, isHit: Bool
  ) async throws {
    let rig = CacheRig(Self.options, answering: (200, [.cacheControl: control]))
    #expect(try await rig.get("/", [.authorization: "Bearer a"]) == "1")
    rig.wait(10)
    #expect(try await rig.get("/", [.authorization: "Bearer b"]) == (isHit ? "1" : "2"))
  }

  /// The stored response is five seconds stale.
  @Test(
    .covers("9111-5.2.2.8-a", "9111-5.2.2.10-b", "9111-4.2.4-a"),
    arguments: [
      ("proxy-revalidate, max-age=5", false), ("s-maxage=5", false),
      ("s-maxage=5, max-age=600", false), ("max-age=5", true),
    ])
  func `a stale response is not used against proxy-revalidate and s-maxage (§5·2·2·8, §5·2·2·10)`(
    control: String, isUsed: Bool
  ) async throws {
    let rig = CacheRig(
      Self.options, answering: (200, [.cacheControl: "\(control), stale-if-error=60"]), (503, [:]))
    #expect(try await rig.get() == "1")
    rig.wait(10)
    #expect(try await rig.get("/", [.cacheControl: "max-stale"]) == (isUsed ? "1" : "2"))
    #expect(try await rig.get() == (isUsed ? "1" : "3"))
  }

  @Test(
    .covers("9111-5.2.2.10-a", "9111-5.3-c"),
    arguments: [
      [.expires: "Sun, 06 Nov 1994 08:49:38 GMT"], [.expires: "0"], [.cacheControl: "max-age=1"],
    ] as [HTTPFields])
  func `s-maxage has precedence over max-age and Expires (§5·2·2·10, §5·3)`(other: HTTPFields)
    async throws
  {
    var fields = other
    fields.append(HTTPField(name: .cacheControl, value: "s-maxage=60"))
    let rig = CacheRig(Self.options, answering: (200, fields))
    #expect(try await rig.get() == "1")
    rig.wait(10)
    let hit = try await rig.send()
    #expect(hit.cacheStatus?.isHit == true && hit.cacheStatus?.timeToLive == 50)
  }

  @Test(.covers("9111-5.2.2.7-a"))
  func `a private response is not stored, and not updated by a private confirmation (§5·2·2·7)`()
    async throws
  {
    let rig = CacheRig(
      Self.options, answering: (200, [.cacheControl: "private, max-age=60"]),
      (200, [.cacheControl: "max-age=5", .eTag: "\"a\"", .server: "1"]),
      (304, [.cacheControl: "private, max-age=60", .eTag: "\"a\"", .server: "2"]),
      (503, [:]))
    #expect(try await rig.get() == "1")
    #expect(try await rig.get() == "2")
    rig.wait(10)
    #expect(try await rig.send().cacheStatus?.forwardStatus == 304)
    // The server fails, so that the stored response is used as it is.
    let stored = try await rig.send()
    #expect(stored.headers[.server] == "1" && stored.headers[.age] == "10")
  }
}
