import Foundation
import HTTPTypes
import MartletCore
import NIOHPACK
import Testing

@testable import MartletTransport

/// Which fields of a request enter the table that both sides keep (RFC 7541 §7.1.3).
struct RequestFieldsTests {
  @Test func `a field enters the table unless it is secret, or the caller forbids it`() throws {
    #expect(try indexing("x-a", "b") == .indexable)
    #expect(try indexing("x-a", "b") { $0.indexingStrategy = .disallow } == .neverIndexed)
    // Values that are equal text may differ in their bytes, and the encoder compares them as text.
    #expect(try indexing("x-a", "caf\u{E9}") == .nonIndexable)
    #expect(try indexing("authorization", "b") == .neverIndexed)
    // It is for proxies, which have no HTTP/2 (RFC 9110 §11.7.2).
    #expect(try indexing("proxy-authorization", "b") == nil)
    #expect(try indexing("cookie", "short=1") == .neverIndexed)
    let long = String(repeating: "x", count: 40)
    #expect(try indexing("cookie", long) == .indexable)
    #expect(try indexing("cookie", long) { $0.indexingStrategy = .disallow } == .neverIndexed)
    #expect(try indexing("te", "trailers") { $0.indexingStrategy = .disallow } == .neverIndexed)
  }

  @Test func `a request that asks for compression does so behind its own fields`() throws {
    var request = try Request("http://example.org/", headers: [.accept: "*/*"])
    request.askForCompression()
    let fields = RequestFields(request, origin: try request.origin, authority: "example.org")
    let last = fields.section.suffix(2).map { "\($0.name): \($0.value)" }
    #expect(last == ["accept: */*", "accept-encoding: gzip, deflate"])
  }

  private func indexing(
    _ name: String, _ value: String, _ change: (inout HTTPField) -> Void = { _ in }
  ) throws -> HPACKIndexing? {
    var field = HTTPField(name: try .init(validating: name), value: value)
    change(&field)
    var request = Request(url: try #require(URL(string: "http://example.org/")))
    request.headers.append(field)
    let fields = RequestFields(request, origin: try request.origin, authority: "example.org")
    return fields.section.first { $0.name == name }?.indexable
  }
}
