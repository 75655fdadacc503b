import Foundation
import Martlet
import SpecificationCoverage
import Testing

/// What the options of queries and forms do.
@Suite(.timeLimit(.minutes(5)))
struct ParameterEncodingTests {
  private struct Bird: Encodable {
    var commonName = "Arctic tern"
    var isSeen = true
    var firstSeenAt = Date(timeIntervalSince1970: 86_400.25)
    var ringURLCode: String?
    var someKeys = ["myKey": Inner()]

    struct Inner: Encodable { var innerKey = 1 }

    enum CodingKeys: CodingKey { case commonName, isSeen, firstSeenAt, ringURLCode, someKeys }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(isSeen, forKey: .isSeen)
      try container.encode(commonName, forKey: .commonName)
      try container.encode(firstSeenAt, forKey: .firstSeenAt)
      try container.encode(ringURLCode, forKey: .ringURLCode)
      try container.encode(someKeys, forKey: .someKeys)
    }
  }

  private func query(
    _ parameters: Parameters, _ change: (inout ParameterEncoding) -> Void
  ) throws -> String {
    var encoding = ParameterEncoding()
    change(&encoding)
    return try queryString(from: parameters, encoding: encoding)
      .replacing("%5B", with: "[").replacing("%5D", with: "]")
  }

  @Test(
    arguments: [
      (.brackets, "a[]=1&a[][]=2&a[][b]=3"), (.noBrackets, "a=1&a=2&a[b]=3"),
      (.indices, "a[0]=1&a[1][0]=2&a[2][b]=3"),
    ] as [(ParameterEncoding.Arrays, String)])
  func `arrays`(style: ParameterEncoding.Arrays, expected: String) throws {
    #expect(try query(["a": [1, [2], ["b": 3]] as Parameters]) { $0.arrays = style } == expected)
  }

  @Test func `booleans are numbers or words`() throws {
    #expect(try query(["a": true, "b": false]) { $0.booleans = .numbers } == "a=1&b=0")
    #expect(try query(["a": true, "b": false]) { $0.booleans = .words } == "a=true&b=false")
    #expect(try query(.encodable(["a": [true]])) { $0.booleans = .words } == "a[]=true")
  }

  @Test(
    arguments: [
      (.secondsSince1970, "d=86400.25"), (.millisecondsSince1970, "d=86400250"),
      (.iso8601, "d=1970-01-02T00%3A00%3A00Z"),
    ] as [(ParameterEncoding.Dates, String)])
  func `dates`(style: ParameterEncoding.Dates, expected: String) throws {
    let date = Date(timeIntervalSince1970: 86_400.25)
    #expect(try query(["d": date]) { $0.dates = style } == expected)
    #expect(try query(.encodable(["d": date])) { $0.dates = style } == expected)
  }

  @Test func `the first and the last second of the years 0 to 9999 have a text (RFC 3339 §1)`()
    throws
  {
    let first = Date(timeIntervalSince1970: -62_167_219_200)
    #expect(try query(["d": first]) { $0.dates = .iso8601 }.hasPrefix("d=0000-01-"))
    let last = Date(timeIntervalSince1970: 253_402_300_799)
    #expect(try query(["d": last]) { $0.dates = .iso8601 } == "d=9999-12-31T23%3A59%3A59Z")
  }

  @Test func `dates that have no text are refused`() {
    for style in [ParameterEncoding.Dates.secondsSince1970, .millisecondsSince1970, .iso8601] {
      #expect(
        message {
          try query(["d": Date(timeIntervalSince1970: .infinity)]) { $0.dates = style }
        } == "The parameters cannot be encoded: the number at “d” is not finite.")
    }
    for seconds in [-62_167_219_201.0, 253_402_300_800, 1e300] {
      #expect(
        message {
          try query(["a": ["d": Date(timeIntervalSince1970: seconds)]]) {
            $0.dates = .iso8601
          }
        }
          == "The parameters cannot be encoded: the date at “a[d]” is not in the years 0 to 9999."
      )
    }
  }

  @Test func `data is base64 with or without what a URL escapes`() throws {
    let data = Data([0xFB, 0xFF])
    #expect(try query(["a": data]) { $0.data = .base64 } == "a=%2B/8%3D")
    #expect(try query(["a": data]) { $0.data = .base64URL } == "a=-_8")
  }

  @Test(
    arguments: [
      ("name", "name", "name"), ("pageSize", "page_size", "page-size"),
      ("isURLKnown", "is_url_known", "is-url-known"), ("URL", "url", "url"),
      ("baseURL", "base_url", "base-url"), ("already_done", "already_done", "already_done"),
      ("_hidden", "_hidden", "_hidden"), ("my1Thing", "my1_thing", "my1-thing"), ("", "", ""),
      ("isURLk", "is_ur_lk", "is-ur-lk"), ("a_B", "a_b", "a_b"), ("éÉe", "é_ée", "é-ée"),
    ])
  func `declared names in other cases`(name: String, snake: String, kebab: String) throws {
    struct Named: Encodable {
      let name: String
      struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
      }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(1, forKey: Key(stringValue: name))
      }
    }
    for (style, expected) in [
      (ParameterEncoding.Keys.asDeclared, name), (.snakeCase, snake), (.kebabCase, kebab),
    ] {
      var encoding = ParameterEncoding()
      encoding.keys = style
      let pairs = try queryStringPairs(from: .encodable(Named(name: name)), encoding: encoding)
      #expect(pairs == [QueryStringPair(field: expected, value: "1")])
    }
  }

  @Test func `the keys of dictionaries stay as they are`() throws {
    #expect(
      try query(["someKeys": Bird()]) { $0.keys = .snakeCase }
        == "someKeys[common_name]=Arctic%20tern&someKeys[first_seen_at]=86400.25"
        + "&someKeys[is_seen]=1&someKeys[ring_url_code]"
        + "&someKeys[some_keys][myKey][inner_key]=1")
  }

  @Test(
    arguments: [
      (.nameOnly, "a&b[]&c=1"), (.emptyValue, "a=&b[]=&c=1"), (.word, "a=null&b[]=null&c=1"),
      (.omitted, "c=1"),
    ] as [(ParameterEncoding.Nulls, String)])
  func `null`(style: ParameterEncoding.Nulls, expected: String) throws {
    #expect(
      try query(["a": nil, "b": [nil] as Parameters, "c": 1]) { $0.nulls = style } == expected)
  }

  @Test func `spaces are escaped or pluses, and pluses are always escaped`() throws {
    #expect(try query(["a b": "c + d"]) { $0.spaces = .percent } == "a%20b=c%20%2B%20d")
    #expect(try query(["a b": "c + d"]) { $0.spaces = .plus } == "a+b=c+%2B+d")
  }

  @Test func `names are sorted, or kept in order`() throws {
    let literal: Parameters = ["b": 1, "a": ["d": 1, "c": 2] as Parameters, "B": 3]
    #expect(try query(literal) { $0.order = .sorted } == "B=3&a[c]=2&a[d]=1&b=1")
    #expect(try query(literal) { $0.order = .insertion } == "b=1&a[d]=1&a[c]=2&B=3")
    let untyped = try Parameters(["b": 1, "a": 2])
    #expect(try query(untyped) { $0.order = .insertion } == "a=2&b=1")
    #expect(
      try query(.encodable(Bird())) {
        $0.order = .insertion
        $0.nulls = .omitted
      } == "isSeen=1&commonName=Arctic%20tern&firstSeenAt=86400.25&someKeys[myKey][innerKey]=1")
    let twice = Parameters.ordered([("b", .integer(1)), ("a", .integer(2)), ("b", .integer(3))])
    #expect(try query(twice) { $0.order = .insertion } == "b=1&a=2&b=3")
  }

  @Test func `a set is sorted by what its elements are written as`() throws {
    let dates = [1e12, 9.0].map { Parameters.date(Date(timeIntervalSince1970: $0)) }
    #expect(
      try query(["s": Parameters.set(dates)]) { $0.dates = .secondsSince1970 }
        == "s=1000000000000&s=9")
    let birds: Parameters = .set([["b": 2], ["a": 3], ["a": 1]])
    #expect(try query(["s": birds]) { _ in } == "s[a]=1&s[b]=2&s[a]=3")
  }

  @Test func `queries, form bodies and forms of several parts follow the options`() async throws {
    var serializer = HTTPRequestSerializer()
    serializer.parameterEncoding.booleans = .words
    serializer.parameterEncoding.spaces = .plus
    let parameters: Parameters = ["a b": [true]]
    let get = try serializer.request(method: .get, url: .example, parameters: parameters)
    #expect(get.target == "/?a+b%5B%5D=true")
    let post = try serializer.request(method: .post, url: .example, parameters: parameters)
    #expect(post.body.text == "a+b%5B%5D=true")
    let form = try serializer.multipartFormRequest(
      method: .post, url: .example, parameters: parameters)
    #expect(try await form.form().contains("name=\"a b[]\"\r\n\r\ntrue\r\n"))
  }

  @Test(.covers("REQ-M5"))
  func `a form of several parts holds data as it is, and dates as text`() async throws {
    let request = try HTTPRequestSerializer().multipartFormRequest(
      method: .post, url: .example,
      parameters: ["d": Data("raw \0".utf8), "t": Date(timeIntervalSince1970: 5)])
    #expect(
      try await request.form()
        == "--B\r\nContent-Disposition: form-data; name=\"d\"\r\n\r\nraw \0\r\n"
        + "--B\r\nContent-Disposition: form-data; name=\"t\"\r\n\r\n5\r\n--B--\r\n")
  }

  @Test func `JSON and property lists take the later of two values with one name`() throws {
    let twice = Parameters.ordered([("a", .integer(1)), ("a", .integer(2))])
    let json = try JSONRequestSerializer().request(method: .post, url: .example, parameters: twice)
    #expect(json.body.text == #"{"a":2}"#)
    let list = try PropertyListRequestSerializer().request(
      method: .post, url: .example, parameters: twice)
    #expect(list.body.text?.contains("<integer>2</integer>") == true)
  }
}
