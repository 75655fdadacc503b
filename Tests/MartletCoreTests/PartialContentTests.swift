import Foundation
import HTTPTypes
import Testing

@testable import MartletCore

/// When a 206 is the whole, and what a request without `Range` makes of one that is not (RFC 9110 §15.3.7).
struct PartialContentTests {
  private func head(_ status: Int, _ fields: KeyValuePairs<String, String>) throws -> ResponseHead {
    ResponseHead(
      status: HTTPResponse.Status(code: status), headers: try HTTPFields(validating: fields))
  }

  @Test(
    arguments: [
      ["Content-Range": "bytes 0-9/10", "Content-Length": "10"],
      ["Content-Range": "Bytes 0-0/1", "Content-Length": "1"],
    ] as [KeyValuePairs<String, String>])
  func `a 206 from the first byte to the last is the whole`(
    fields: KeyValuePairs<String, String>
  ) throws {
    #expect(try !head(206, fields).isPartial)
  }

  @Test(
    arguments: [
      [:],
      ["Content-Length": "10"],
      ["Content-Range": "bytes 0-9/10"],
      ["Content-Range": "bytes 0-9/10", "Content-Length": "9"],
      ["Content-Range": "bytes 0-9/10", "Content-Length": "10", "Transfer-Encoding": "chunked"],
      ["Content-Range": "bytes 0-4/10", "Content-Length": "5"],
      ["Content-Range": "bytes 5-9/10", "Content-Length": "5"],
      ["Content-Range": "bytes 1-10/10", "Content-Length": "10"],
      ["Content-Range": "bytes 0-9/*", "Content-Length": "10"],
      ["Content-Range": "bytes 0-9/11", "Content-Length": "10"],
      ["Content-Range": "bytes */10", "Content-Length": "10"],
      ["Content-Range": "items 0-9/10", "Content-Length": "10"],
      ["Content-Range": "0-9/10", "Content-Length": "10"],
      ["Content-Range": "bytes 0-9/10, bytes 0-9/10", "Content-Length": "10"],
      ["Content-Type": "multipart/byteranges; boundary=x", "Content-Length": "10"],
    ] as [KeyValuePairs<String, String>])
  func `a 206 that does not prove to be the whole is a part`(
    fields: KeyValuePairs<String, String>
  ) throws {
    let head = try head(206, fields)
    #expect(head.isPartial)
    let request = try Request(.get, "http://h/")
    let error = #expect(throws: MartletError.self) { try head.checkIsWhole(for: request) }
    #expect(error?.code == .wrongRange && error?.response == head)
  }

  @Test(arguments: [200, 203, 404, 416])
  func `in other responses Content-Range means nothing (RFC 9110 §14.4)`(status: Int) throws {
    #expect(try !head(status, ["Content-Range": "bytes 0-4/10", "Content-Length": "5"]).isPartial)
  }

  @Test(
    arguments: [
      "bytes", "bytes 0-4", "bytes  0-4/10", "bytes 0-4//10", "bytes 0-4/10/10", "bytes 0--4/10",
      "bytes 0-4-9/10", "bytes 4/10", "bytes 0-10/10", "bytes 5-4/10", "bytes +0-4/10",
      "bytes 0-4/+10", "bytes 0-4/1000000000000000000",
    ])
  func `what is no range of content is ignored (RFC 9110 §14.4)`(field: String) {
    #expect(ContentRange(field) == nil)
  }

  @Test func `a range may have numbers of 18 digits, or no bytes`() {
    let field = "bytes 0-999999999999999998/999999999999999999"
    #expect(ContentRange(field)?.bytes == 0..<999_999_999_999_999_999)
    let empty = ContentRange("bytes */0")
    #expect(empty?.bytes == nil && empty?.fits(0) == true && empty?.fits(1) == false)
  }

  @Test func `a length of 0 is a length`() throws {
    #expect(try head(200, ["Content-Length": "0"]).announcedLength == 0)
  }

  @Test(arguments: ["bytes=0-4", "bytes=0-4, 6-7", "items=0-9"])
  func `a request that has Range gets what it is sent`(range: String) throws {
    let request = try Request(.get, "http://h/", headers: [.range: range])
    let head = try head(206, ["Content-Type": "multipart/byteranges; boundary=x"])
    #expect(throws: Never.self) { try head.checkIsWhole(for: request) }
  }

  @Test func `the error shows the part`() throws {
    #expect(
      MartletError.unrequestedPart(try head(206, ["Content-Range": "bytes 0-4/10"])).message
        == "The request was for the whole body, but the server sent a part, “bytes 0-4/10”: try again later, or send a `Range` field if a part is wanted."
    )
    #expect(
      MartletError.unrequestedPart(try head(206, [:])).message
        == "The request was for the whole body, but the server sent a part: try again later, or send a `Range` field if a part is wanted."
    )
  }
}
