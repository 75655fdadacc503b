import EssentialFoundation
import Foundation
import Martlet
import SpecificationCoverage
import Testing

struct QueryStringStyleTests {
  private struct Refusal: Error, Equatable {
    var number: Int
  }

  private func serializer(
    _ make: @escaping @Sendable (Request, Parameters) throws -> String?
  ) -> HTTPRequestSerializer {
    var serializer = HTTPRequestSerializer()
    serializer.queryStringStyle = .custom(make)
    return serializer
  }

  @Test(.covers("T-REQ-07", "REQ-H18"))
  func `a custom style writes the query`() throws {
    let serializer = serializer { _, parameters in
      try queryStringPairs(from: parameters).map { "\($0.field)**\($0.value ?? "")" }
        .joined(separator: "**")
    }
    let request = try serializer.request(
      method: .get, urlString: "http://h/", parameters: ["key": "value"])
    #expect(request.url.query() == "key**value")
  }

  @Test(.covers("T-REQ-11", "REQ-H19"))
  func `what a custom style throws comes out unchanged`() {
    let serializer = serializer { _, _ in throw Refusal(number: 4) }
    #expect(throws: Refusal(number: 4)) {
      try serializer.request(method: .get, urlString: "http://h/", parameters: [:])
    }
  }

  @Test(.covers("REQ-H19"))
  func `nil from a custom style is no query`() throws {
    let serializer = serializer { _, _ in nil }
    let get = try serializer.request(method: .get, urlString: "http://h/", parameters: ["a": 1])
    #expect(get.url.absoluteString == "http://h/")
    let post = try serializer.request(method: .post, urlString: "http://h/", parameters: ["a": 1])
    #expect(post.body.length == 0)
  }

  @Test(.covers("REQ-H19"))
  func `a custom style is asked about bodies, and not asked without parameters`() throws {
    let calls = Locked(0)
    let serializer = serializer { request, _ in
      calls.withLock { $0 += 1 }
      return request.headers.isEmpty ? "as given" : "changed"
    }
    let post = try serializer.request(method: .post, urlString: "http://h/", parameters: [:])
    #expect(post.body.text == "as given")
    _ = try serializer.request(method: .get, urlString: "http://h/", parameters: nil)
    #expect(calls.current == 1)
  }

  @Test(.covers("REQ-H27"))
  func `choosing the default style clears a custom one`() throws {
    var serializer = serializer { _, _ in "custom" }
    serializer.queryStringStyle = .default
    let request = try serializer.request(method: .get, urlString: "http://h/", parameters: ["a": 1])
    #expect(request.target == "/?a=1")
  }
}
