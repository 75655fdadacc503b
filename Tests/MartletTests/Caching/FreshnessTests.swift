import Foundation
import HTTPTypes
import MartletCore
import NIOCore
import Testing

@testable import Martlet
@testable import MartletEssentials

/// What may be kept, and for how long it is used (RFC 9111).
struct FreshnessTests {
  private let now = Date(timeIntervalSince1970: 784_111_777)
  private let date = "Sun, 06 Nov 1994 08:49:37 GMT"

  private func request(
    _ method: HTTPRequest.Method = .get, _ headers: HTTPFields = [:]
  ) throws -> Request {
    try Request(method, "http://example.com/", headers: headers)
  }

  private func cached(_ headers: HTTPFields, responseAge: TimeInterval = 0) throws -> CachedResponse
  {
    let response = Response(
      head: ResponseHead(status: .ok, headers: headers), url: try request().url)
    var cached = CachedResponse(
      response, body: .empty, to: try request(), requestTime: now - responseAge)
    cached.responseTime = now - responseAge
    return cached
  }

  @Test(
    arguments: [
      (HTTPRequest.Method.get, 200, [:], [:], true),
      (.get, 404, [:], [:], true),
      (.get, 206, [:], [:], false),
      (.get, 304, [:], [:], false),
      (.get, 500, [:], [:], false),
      (.head, 200, [:], [:], false),
      (.post, 200, [:], [:], false),
      (.get, 200, [.cacheControl: "no-store"], [:], false),
      (.get, 200, [:], [.cacheControl: "max-age=60, No-Store"], false),
      (.get, 200, [.range: "bytes=0-1"], [:], false),
      (.get, 200, [:], [.vary: "Accept, Accept-Language"], true),
      (.get, 200, [:], [.vary: "Accept, *"], false),
      (.get, 200, [.authorization: "Basic x"], [.cacheControl: "private"], true),
    ] as [(HTTPRequest.Method, Int, HTTPFields, HTTPFields, Bool)])
  func `what may be kept`(
    method: HTTPRequest.Method, status: Int, asked: HTTPFields, answered: HTTPFields, isKept: Bool
  ) throws {
    let head = ResponseHead(status: .init(code: status), headers: answered)
    #expect(Freshness.isStorable(head, to: try request(method, asked)) == isKept)
  }

  @Test(
    arguments: [
      ([.cacheControl: "max-age=60"], 59, true),
      ([.cacheControl: "max-age=60"], 60, false),
      ([.cacheControl: "max-age=\"60\""], 59, true),
      // A mistake means stale, and of two the first counts (§4.2.1).
      ([.cacheControl: "max-age=soon"], 0, false),
      ([.cacheControl: "max-age=60, max-age=6000"], 100, false),
      ([.cacheControl: "max-age=99999999999999999999"], 1e9, true),
      ([.cacheControl: "no-cache, max-age=60"], 0, false),
      ([.cacheControl: "max-age=60", .age: "50"], 5, true),
      ([.cacheControl: "max-age=60", .age: "50"], 11, false),
      ([.cacheControl: "max-age=60", .age: "-50"], 61, false),
      (
        [.expires: "Sun, 06 Nov 1994 08:50:37 GMT", .date: "Sun, 06 Nov 1994 08:49:37 GMT"], 0, true
      ),
      (
        [.expires: "Sun, 06 Nov 1994 08:49:37 GMT", .date: "Sun, 06 Nov 1994 08:49:37 GMT"], 0,
        false
      ),
      ([.expires: "0"], 0, false),
      // What `max-age` says outranks it (§5.3).
      ([.cacheControl: "max-age=60", .expires: "0"], 0, true),
      ([:], 0, false),
    ] as [(HTTPFields, TimeInterval, Bool)])
  func `how long it is fresh`(headers: HTTPFields, age: TimeInterval, isFresh: Bool) throws {
    let cached = try cached(headers, responseAge: 0)
    #expect(Freshness.isFresh(cached, for: try request(), at: now + age) == isFresh)
  }

  @Test(
    arguments: [
      ([.cacheControl: "no-cache"], false),
      ([.cacheControl: "max-age=5"], false),
      ([.cacheControl: "max-age=20"], true),
      ([.cacheControl: "min-fresh=60"], false),
      ([.cacheControl: "min-fresh=40"], true),
    ] as [(HTTPFields, Bool)])
  func `what the request wishes counts`(headers: HTTPFields, isFresh: Bool) throws {
    let cached = try cached([.cacheControl: "max-age=60"], responseAge: 10)
    #expect(Freshness.isFresh(cached, for: try request(.get, headers), at: now) == isFresh)
  }

  @Test func `what asked for something new in HTTP 1.0 counts where nothing else does`() throws {
    let cached = try cached([.cacheControl: "max-age=60"])
    var asked = HTTPFields()
    try asked.append(name: "Pragma", value: "no-cache")
    #expect(!Freshness.isFresh(cached, for: try request(.get, asked), at: now))
    asked[.cacheControl] = "max-age=60"
    #expect(Freshness.isFresh(cached, for: try request(.get, asked), at: now))
  }

  @Test func `what a date in the past says about the age counts`() throws {
    // The clock of the server is a minute behind, or the response took a minute.
    let cached = try cached([.cacheControl: "max-age=60", .date: "Sun, 06 Nov 1994 08:48:37 GMT"])
    #expect(Freshness.age(of: cached, at: now) == 60)
    #expect(!Freshness.isFresh(cached, for: try request(), at: now))
  }
}
