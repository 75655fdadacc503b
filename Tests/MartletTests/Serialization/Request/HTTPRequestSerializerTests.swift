import Foundation
import Martlet
import NIOCore
import SpecificationCoverage
import Testing

struct HTTPRequestSerializerTests {
  private let serializer = HTTPRequestSerializer()

  private func url(_ text: String, _ parameters: Parameters?) throws -> String {
    try serializer.request(method: .get, urlString: text, parameters: parameters).url
      .absoluteString
  }

  // MARK: Parameters in the URL

  @Test(.covers("T-REQ-03", "REQ-H18", "REQ-H21"))
  func `parameters of a GET become the URL's query`() throws {
    let request = try serializer.request(
      method: .get, urlString: "http://example.com", parameters: ["key": "value"])
    #expect(request.url.query() == "key=value")
    #expect(request.body.isEmpty)
    #expect(request.headers[.contentType] == nil)
  }

  @Test(.covers("T-REQ-04", "REQ-H21"))
  func `no question mark is left behind when there is nothing to say`() throws {
    #expect(try url("http://example.com/", [:]) == "http://example.com/")
    #expect(try url("http://example.com/", nil) == "http://example.com/")
    #expect(try url("http://example.com/?", [:]) == "http://example.com/?")
  }

  @Test(.covers("T-REQ-05"))
  func `a blank and the reserved characters are escaped`() throws {
    #expect(
      try url("http://example.com", ["key": " :#[]@!$&'()*+,;=/?"])
        == "http://example.com?key=%20%3A%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D/?")
  }

  @Test(.covers("T-REQ-06"))
  func `escaped text is escaped again`() throws {
    #expect(
      try url("http://example.com", ["key": "%20%21%22%2F"])
        == "http://example.com?key=%2520%2521%2522%252F")
  }

  @Test(
    .covers("REQ-H21", "REQ-H22"),
    arguments: [
      ("http://h/x?a=1", "http://h/x?a=1&k=v"), ("http://h/?", "http://h/?k=v"),
      ("http://h/x?a&", "http://h/x?a&k=v"), ("http://h/x#f?g", "http://h/x?k=v#f?g"),
      ("http://h/x?a=1#f", "http://h/x?a=1&k=v#f"), ("http://h", "http://h?k=v"),
      ("http://h/x?q=why?", "http://h/x?q=why?&k=v"),
    ])
  func `a query is put behind the present one and before the fragment`(
    given: String, result: String
  ) throws {
    #expect(try url(given, ["k": "v"]) == result)
  }

  @Test(.covers("REQ-H23"))
  func `a query that a URL cannot hold is an error`() {
    var serializer = serializer
    serializer.queryStringStyle = .custom { _, _ in "a b" }
    #expect(
      message {
        try serializer.request(method: .get, urlString: "http://h/", parameters: ["k": 1])
      } == "The parameters cannot be encoded: the query “a b” has characters not allowed in a URL.")
  }

  @Test(.covers("REQ-H20"), arguments: ["get", "Head", "DELETE"])
  func `the method is looked up in upper case and sent as it is`(name: String) throws {
    let method = try #require(HTTPRequest.Method(name))
    let request = try serializer.request(
      method: method, urlString: "http://h/", parameters: ["k": "v"])
    #expect(request.target == "/?k=v")
    #expect(request.method.rawValue == name)
  }

  @Test(.covers("REQ-H20"))
  func `the methods with parameters in the URL can be chosen`() throws {
    var serializer = serializer
    serializer.methodsEncodingParametersInURL = [.put]
    let put = try serializer.request(method: .put, urlString: "http://h/", parameters: ["k": 1])
    #expect(put.target == "/?k=1")
    let get = try serializer.request(method: .get, urlString: "http://h/", parameters: ["k": 1])
    #expect(get.target == "/")
    #expect(get.body.text == "k=1")
  }

  // MARK: Parameters in the body

  @Test(.covers("T-REQ-01", "REQ-H24", "REQ-H26"))
  func `parameters of a POST become a form`() throws {
    let request = try serializer.request(
      method: .post, urlString: "http://example.com", parameters: ["key": "value"])
    #expect(request.headers[.contentType] == "application/x-www-form-urlencoded")
    #expect(request.headers[.contentLength] == nil)
    #expect(request.body.text == "key=value")
    #expect(request.url.query() == nil)
  }

  @Test(.covers("T-REQ-02", "REQ-H24"))
  func `a POST without parameters has the form's type and a body of no bytes`() throws {
    let request = try serializer.request(
      method: .post, urlString: "http://example.com", parameters: nil)
    #expect(request.headers[.contentType] == "application/x-www-form-urlencoded")
    #expect(!request.body.isEmpty)
    #expect(request.body.length == 0)
  }

  @Test(.covers("REQ-H25"))
  func `a content type that is there is kept, on the request or among the defaults`() throws {
    let post = Request(.post, url: URL.example, headers: [.contentType: "text/x-form"])
    let request = try serializer.serialize(post, parameters: ["a": 1])
    #expect(request.headers[values: .contentType] == ["text/x-form"])
    #expect(request.body.text == "a=1")

    var serializer = serializer
    try serializer.setValue("text/y-form", forHTTPHeaderField: "content-type")
    let other = try serializer.serialize(Request(.post, url: URL.example), parameters: nil)
    #expect(other.headers[values: .contentType] == ["text/y-form"])
  }

  @Test(.covers("REQ-H24"))
  func `a form is written in the serializer's encoding`() throws {
    var serializer = serializer
    serializer.stringEncoding = .utf16BigEndian
    let request = try serializer.serialize(Request(.post, url: URL.example), parameters: ["a": 1])
    #expect(request.body.bytes == [0, 0x61, 0, 0x3D, 0, 0x31])
  }

  @Test
  func `a custom form that the encoding does not have is an error`() {
    var serializer = serializer
    serializer.stringEncoding = .ascii
    serializer.queryStringStyle = .custom { _, _ in "é" }
    #expect(
      failure { try serializer.serialize(Request(.post, url: .example), parameters: ["a": 1]) }?
        .code == .invalidParameters)
  }

  // MARK: Building

  @Test(.covers("REQ-H15"))
  func `text that is no URL is an error`() {
    #expect(
      message { try serializer.request(method: .get, urlString: "", parameters: nil) }
        == "The URL “” is not usable: it is empty.")
  }

  @Test(.covers("REQ-H15"))
  func `what is escaped in the text of a URL stays so`() throws {
    let made = try serializer.request(
      method: .get, urlString: "http://h/a|b%20?q=[1]%5B", parameters: ["x": "50%"])
    #expect(made.url.absoluteString == "http://h/a%7Cb%20?q=%5B1%5D%5B&x=50%25")
    let form = try serializer.multipartFormRequest(
      method: .post, urlString: "http://h/a|b%20", parameters: ["a": 1])
    #expect(form.url.absoluteString == "http://h/a%7Cb%20")
  }

  @Test(.covers("REQ-H16"))
  func `the request that is given stays as it is`() throws {
    let given = Request(.post, url: URL.example)
    let made = try serializer.serialize(given, parameters: ["a": 1])
    #expect(given.headers.isEmpty)
    #expect(given.body.isEmpty)
    #expect(made.body.text == "a=1")
  }

  @Test(.covers("REQ-H1", "REQ-H30"))
  func `serializers are values that share nothing and lose nothing`() throws {
    var one = HTTPRequestSerializer()
    one.stringEncoding = .ascii
    one.methodsEncodingParametersInURL = []
    one.timeoutInterval = .seconds(7)
    var two = one
    try two.setValue("x", forHTTPHeaderField: "X")
    #expect(one.value(forHTTPHeaderField: "X") == nil)
    #expect(HTTPRequestSerializer().value(forHTTPHeaderField: "X") == nil)
    #expect(two.stringEncoding == .ascii)
    #expect(two.methodsEncodingParametersInURL.isEmpty)
    #expect(two.timeoutInterval == .seconds(7))
  }

  @Test(.covers("REQ-H28"))
  func `a serializer that is not built on this one has just one duty`() throws {
    struct Plain: RequestSerializing {
      func serialize(_ request: Request, parameters: Parameters?) throws -> Request { request }
    }
    #expect(try Plain().serialize(Request(url: URL.example), parameters: nil).headers.isEmpty)
  }
}
