import EssentialFoundation
import Foundation
import Martlet
import SpecificationCoverage
import Testing

@Suite(.timeLimit(.minutes(5)))
struct DefaultHeaderTests {
  private var serializer = HTTPRequestSerializer()

  @Test(.covers("T-REQ-09", "REQ-H6"))
  mutating func `a header that was set can be read, whatever the case of its name`() throws {
    try serializer.setValue("one", forHTTPHeaderField: "X-Bird")
    #expect(serializer.value(forHTTPHeaderField: "X-Bird") == "one")
    try serializer.setValue("two", forHTTPHeaderField: "x-bird")
    #expect(serializer.value(forHTTPHeaderField: "X-BIRD") == "two")
    #expect(serializer.httpRequestHeaders.count == 4)
  }

  @Test func `a serializer that describes itself masks credentials`() {
    var serializer = JSONRequestSerializer()
    serializer.http.setAuthorization(username: "ada", password: "secret")
    let credentials = Data("ada:secret".utf8).base64EncodedString()
    var dumped = ""
    dump(serializer, to: &dumped)
    for text in ["\(serializer)", String(reflecting: serializer), dumped] {
      #expect(text.contains("Authorization: ***]>"))
      #expect(!text.contains(credentials))
    }
  }

  @Test(.covers("T-REQ-10"))
  func `a header that was not set is nil`() {
    #expect(serializer.value(forHTTPHeaderField: "X-Bird") == nil)
    #expect(serializer.value(forHTTPHeaderField: "not a name") == nil)
  }

  @Test(.covers("T-REQ-12", "REQ-H6"))
  mutating func `a header that is set to nil is gone`() throws {
    try serializer.setValue("one", forHTTPHeaderField: "X-Bird")
    try serializer.setValue(nil, forHTTPHeaderField: "x-bird")
    #expect(
      serializer.httpRequestHeaders.map(\.name.canonicalName)
        == ["accept", "accept-language", "user-agent"])
    try serializer.setValue(nil, forHTTPHeaderField: "User-Agent")
    let request = try serializer.serialize(Request(url: .example), parameters: nil)
    #expect(!request.headers.contains(.userAgent))
  }

  @Test(arguments: ["a\r\nB: c", "a\n", "\ra", "a\0b", "a\u{1B}", " a", "a\t"])
  func `a value that may not stand in a header is refused, and nothing is set`(value: String) {
    var serializer = serializer
    let error = failure { try serializer.setValue(value, forHTTPHeaderField: "X-Bird") }
    #expect(error?.code == .invalidHeader)
    #expect(
      error?.message
        == "The value of the header “X-Bird” holds a line break or another control character, or begins or ends with a blank: remove it."
    )
    #expect(serializer.httpRequestHeaders.count == 3)
  }

  @Test(arguments: ["a", nil] as [String?])
  func `a name that is none is refused, whether it is set or removed`(value: String?) {
    var serializer = serializer
    let error = failure { try serializer.setValue(value, forHTTPHeaderField: "X Y") }
    #expect(error?.code == .invalidHeader)
    #expect(
      error?.message
        == #"“X Y” is not a header name: it may not be empty, and may not hold blanks, control characters, characters outside ASCII, or any of “"(),/:;<=>?@[\]{}”."#
    )
    #expect(serializer.httpRequestHeaders.count == 3)
  }

  @Test(.covers("T-REQ-13", "REQ-H5"))
  func `a thousand tasks may set the same header at once`() async throws {
    let shared = Locked(HTTPRequestSerializer())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<1000 {
        group.addTask {
          try shared.withLock { try $0.setValue("\(number)", forHTTPHeaderField: "X") }
        }
      }
      try await group.waitForAll()
    }
    #expect(shared.current.value(forHTTPHeaderField: "X") != nil)
    #expect(shared.current.httpRequestHeaders.count == 4)
  }

  @Test(.covers("REQ-H17"))
  mutating func `headers that are on the request already win`() throws {
    try serializer.setValue("default", forHTTPHeaderField: "X-Bird")
    let given = Request(url: .example, headers: [.userAgent: "mine"])
    let headers = try serializer.serialize(given, parameters: nil).headers
    #expect(headers[values: .userAgent] == ["mine"])
    #expect(try headers[HTTPField.Name(validating: "x-bird")] == "default")
    #expect(headers.contains(.acceptLanguage))
  }

  @Test(.covers("REQ-H7", "REQ-H8"))
  mutating func `basic authentication can be set, replaced and cleared`() {
    serializer.setAuthorization(username: "Aladdin", password: "open sesame")
    #expect(
      serializer.value(forHTTPHeaderField: "Authorization") == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
    serializer.setAuthorization(username: "a:é", password: String(repeating: "x", count: 80))
    let value = serializer.value(forHTTPHeaderField: "Authorization")
    let text = value.map { String($0.dropFirst("Basic ".count)) }.flatMap {
      Data(base64Encoded: $0)
    }
    #expect(text == Data(("a:é:" + String(repeating: "x", count: 80)).utf8))
    serializer.clearAuthorization()
    #expect(serializer.value(forHTTPHeaderField: "Authorization") == nil)
  }
}
