import Foundation
import Martlet
import NIOCore
import SpecificationCoverage
import Testing

/// What a form looks like on the wire.
@Suite(.timeLimit(.minutes(5)))
struct MultipartBytesTests {
  private let serializer = HTTPRequestSerializer()

  private func post(
    _ parameters: Parameters? = nil,
    _ construct: (inout MultipartFormData) throws -> Void = { _ in }
  ) throws -> Request {
    try serializer.multipartFormRequest(
      method: .post, urlString: "http://example.com/", parameters: parameters,
      constructingBody: construct)
  }

  @Test(.covers("REQ-M3", "REQ-M4", "REQ-M8", "REQ-M9", "REQ-M20", "REQ-M21", "REQ-M23", "REQ-M24"))
  func `a field and a file are the 240 bytes of the specification`() async throws {
    let request = try post(["key": "value"]) { form in
      try form.append(
        fileData: Data("hello".utf8), name: "file", fileName: "a.txt", mimeType: "text/plain")
    }
    let boundary = try #require(
      try #/multipart/form-data; boundary=(Boundary\+[0-9A-F]{16})/#.wholeMatch(
        in: request.headers[.contentType] ?? ""))
    #expect(request.body.length == 240)
    #expect(
      try await request.body.collected() == """
        --\(boundary.1)\r
        Content-Disposition: form-data; name="key"\r
        \r
        value\r
        --\(boundary.1)\r
        Content-Disposition: form-data; name="file"; filename="a.txt"\r
        Content-Type: text/plain\r
        \r
        hello\r
        --\(boundary.1)--\r\n
        """)
  }

  @Test(.covers("REQ-M24", "REQ-M9"))
  func `one part has an opening and a closing boundary`() async throws {
    let request = try post { $0.append(formData: Data("1".utf8), name: "a") }
    #expect(
      try await request.form()
        == "--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--B--\r\n")
  }

  @Test(.covers("REQ-M21", "REQ-M23", "REQ-M25", "REQ-M26"))
  func `the length is that of the bytes, whatever the parts are`() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("tern.txt", String(repeating: "tern ", count: 200_000))
    let large = Data(repeating: 7, count: 300_000)
    let request = try post(["a": ["b": 1]]) { form in
      try form.append(fileAt: file, name: "file")
      try form.append(fileData: large, name: "data", fileName: "d", mimeType: "a/b")
      try form.append(
        { InputStream(data: large) }, name: "s", fileName: "s", length: 300_000, mimeType: "a/b")
      try form.append(
        .sequence(Chunks(texts: ["x", "yz"]), length: 3), name: "q", fileName: "q", mimeType: "a/b")
      form.append(headers: [:], body: .empty)
      try form.append(fileData: Data(), name: "empty", fileName: "", mimeType: "a/b")
    }
    let sizes = try await request.body.chunks().map(\.readableBytes)
    #expect(request.body.length == Int64(sizes.reduce(0, +)))
  }

  @Test(.covers("REQ-M4"))
  func `parameters are fields in the order of a query, with names that are not escaped`()
    async throws
  {
    let request = try post([
      "b": ["x", "y"], "a": ["ü": 1, "A": true] as Parameters, "e": [:] as Parameters,
    ])
    let names = try await request.form().matches(of: #/name="(.*)"\r\n\r\n(.*)\r\n/#).map {
      "\($0.1)=\($0.2)"
    }
    #expect(names == ["a[A]=1", "a[ü]=1", "b[]=x", "b[]=y"])
  }

  @Test(.covers("REQ-M5"))
  func `null is an empty field`() async throws {
    #expect(try await post(["a": nil]).form().contains("name=\"a\"\r\n\r\n\r\n--B--"))
  }

  @Test(.covers("REQ-M5", "REQ-M7"))
  func `values are in the serializer's encoding, names in UTF-8`() async throws {
    var serializer = serializer
    serializer.stringEncoding = .isoLatin1
    let request = try serializer.multipartFormRequest(
      method: .post, urlString: "http://h/", parameters: ["é": "ü"])
    let bytes = try await request.body.chunks().flatMap { Array($0.readableBytesView) }
    #expect(bytes.contains(Array("name=\"é\"".utf8)))
    #expect(bytes.contains([13, 10, 0xFC, 13, 10]))
  }

  @Test(.covers("REQ-M5"))
  func `a value that the encoding does not have is refused`() {
    var serializer = serializer
    serializer.stringEncoding = .ascii
    #expect(
      message {
        try serializer.multipartFormRequest(
          method: .post, urlString: "http://h/", parameters: ["a": ["b": "ü"]])
      }
        == "The parameters cannot be encoded: the value at “a[b]” holds characters that Western (ASCII) does not have."
    )
  }

  @Test(.covers("REQ-M11", "REQ-M12"))
  func `headers of one's own stand in a fixed order, and there may be none`() async throws {
    let headers: HTTPFields = [
      .contentLanguage: "de", .contentType: "a/b", .contentDisposition: "form-data; name=x",
    ]
    let request = try post { form in
      form.append(headers: headers, body: .text("1"))
      form.append(headers: [:], body: .text("2"))
    }
    #expect(
      try await request.form() == """
        --B\r
        Content-Disposition: form-data; name=x\r
        Content-Type: a/b\r
        Content-Language: de\r
        \r
        1\r
        --B\r
        \r
        2\r
        --B--\r\n
        """)
  }

  @Test(.covers("REQ-M2", "REQ-M20"))
  func `default headers and options are there, and the content type is the form's`() throws {
    var serializer = serializer
    serializer.timeoutInterval = .seconds(7)
    try serializer.setValue("application/json", forHTTPHeaderField: "Content-Type")
    let request = try serializer.multipartFormRequest(
      method: .put, urlString: "http://h/", parameters: ["a": 1])
    #expect(request.method == .put)
    #expect(request.options.timeoutInterval == .seconds(7))
    #expect(request.headers.contains(.userAgent))
    #expect(request.headers[values: .contentType].count == 1)
    #expect(request.headers[.contentType]?.hasPrefix("multipart/form-data; ") == true)
  }

  @Test(.covers("REQ-M19"))
  func `a form without parts is the request without parameters`() throws {
    let request = try post([:])
    #expect(request.headers[.contentType] == "application/x-www-form-urlencoded")
    #expect(request.body.length == 0)
    let json = try JSONRequestSerializer().multipartFormRequest(
      method: .post, urlString: "http://h/")
    #expect(json.headers[.contentType] == nil)
    #expect(json.body.isEmpty)
  }

  @Test(.covers("REQ-M2", "REQ-H28"))
  func `the JSON serializer makes forms, too`() async throws {
    let request = try JSONRequestSerializer().multipartFormRequest(
      method: .post, urlString: "http://h/", parameters: ["a": [1]])
    #expect(
      try await request.form()
        == "--B\r\nContent-Disposition: form-data; name=\"a[]\"\r\n\r\n1\r\n--B--\r\n")
  }

  @Test(.covers("REQ-M1"), arguments: [HTTPRequest.Method.get, .head])
  func `methods without a body are refused`(method: HTTPRequest.Method) {
    let error = failure { try serializer.multipartFormRequest(method: method, url: .example) }
    #expect(error?.code == .invalidRequest)
    #expect(
      error?.message
        == "A \(method) request cannot carry a form: use POST, PUT or PATCH.")
  }

  @Test(.covers("REQ-M6"))
  func `what the closure throws comes out unchanged`() {
    struct Refused: Error {}
    #expect(throws: Refused.self) { try post { _ in throw Refused() } }
  }

  @Test
  func `a form of many small parts is a few chunks`() async throws {
    let request = try post { form in
      for number in 0..<2000 { form.append(text: "\(number)", name: "n") }
    }
    #expect(try await request.body.chunks().count < 6)
  }
}
