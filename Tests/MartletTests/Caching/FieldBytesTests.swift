import EssentialFoundation
import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import NIOCore
import Testing

@testable import Martlet
@testable import MartletEssentials

/// Field values with bytes that are not UTF-8 (RFC 9110 §5.5).
@Suite(.timeLimit(.minutes(5)))
struct FieldBytesTests {
  /// A tag with one such byte.
  private static func tag(_ byte: UInt8) -> HTTPField {
    HTTPField(name: .eTag, lenientValue: [0x22, byte, 0x22])
  }

  private static func bytes(_ field: HTTPField?) -> [UInt8]? {
    field?.withUnsafeBytesOfValue { Array($0) }
  }

  @Test func `entity tags are compared and sent byte by byte (RFC 9110 §8·8·3·2)`() async throws {
    let rig = CacheRig { request, number in
      var fields: HTTPFields = [.cacheControl: "max-age=60"]
      fields.append(Self.tag(number == 1 ? 0xE9 : 0xEA))
      guard number < 3 else { return .reply(200, fields, "abcd", to: request) }
      fields[.contentRange] = number == 1 ? "bytes 0-1/4" : "bytes 2-3/4"
      return .reply(206, fields, number == 1 ? "AB" : "cd", to: request)
    }
    #expect(try await rig.get("/", [.range: "bytes=0-1"]) == "AB")
    #expect(try await rig.get() == "abcd")
    let conditions = rig.sent.current.map { Self.bytes($0.headers[fields: .ifRange].first) }
    #expect(conditions == [nil, [0x22, 0xE9, 0x22], nil])
  }

  @Test func `a condition has the bytes of the stored tags (§4·3·1)`() async throws {
    let rig = CacheRig { request, number in
      .reply(number == 1 ? 200 : 304, HTTPFields([Self.tag(0xE9)]), "1", to: request)
    }
    #expect(try await rig.get() == "1")
    #expect(try await rig.get() == "1")
    #expect(
      Self.bytes(rig.lastHeaders[fields: .ifNoneMatch].first) == [0x22, 0xE9, 0x22])
    var same = HTTPFields([HTTPField(name: .ifNoneMatch, lenientValue: [0x22, 0xE9, 0x22])])
    same[.cacheControl] = "max-stale"
    #expect(try await rig.send(.get, "/", same).status == .notModified)
    same[fields: .ifNoneMatch] = [
      HTTPField(name: .ifNoneMatch, lenientValue: [0x22, 0xEA, 0x22])
    ]
    #expect(try await rig.send(.get, "/", same).status == .ok)
  }

  @Test(arguments: ["\"a\\\", \"b\"", "\"x,y\", W/\"a\\\"", "\"b\",\"a\\\","])
  func `in a tag, a backslash is no escape and a comma no separator (RFC 9110 §8·8·3)`(
    tags: String
  ) async throws {
    let rig = CacheRig(answering: (200, [.cacheControl: "max-age=60", .eTag: "\"a\\\""]))
    try await rig.send()
    #expect(try await rig.send(.get, "/", [.ifNoneMatch: tags]).status == .notModified)
    #expect(try await rig.send(.get, "/", [.ifNoneMatch: "\"b\", \"x\""]).status == .ok)
  }

  @Test(arguments: [HTTPField.Name.cookie, .acceptLanguage, .ifRange])
  func `requests that differ in such a byte only have responses of their own (§4·1)`(
    name: HTTPField.Name
  ) async throws {
    let rig = CacheRig(
      answering: (200, [.cacheControl: "max-age=60", .vary: "Accept-Language, If-Range"]))
    for (byte, body) in [(0xE9, "1"), (0xEA, "2"), (0xE9, "1")] as [(UInt8, String)] {
      let headers = HTTPFields([HTTPField(name: name, lenientValue: [0x61, byte])])
      #expect(try await rig.get("/", headers) == body)
    }
  }

  @Test func `a record has the bytes of its fields`() throws {
    let location = HTTPField(name: .location, lenientValue: [0x2F, 0xE9, 0x80])
    let record = CachedResponse.Record(
      head: ResponseHead(status: .movedPermanently, headers: HTTPFields([location])),
      url: try #require(URL(string: "http://h/")), requestTime: Date(), responseTime: Date())
    let copy = try #require(CachedResponse.Record(serialized: record.serialized))
    #expect(copy == record)
    #expect(Self.bytes(copy.head.headers[fields: .location].first) == [0x2F, 0xE9, 0x80])
  }
}
