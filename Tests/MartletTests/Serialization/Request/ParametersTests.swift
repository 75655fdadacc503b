import Foundation
import Martlet
import SpecificationCoverage
import Testing

struct ParametersTests {
  @Test(.covers("REQ-Q15"))
  func `untyped dictionaries of any nesting are taken`() throws {
    let absent: Int? = nil
    let untyped: [String: Any] = [
      "text": "a", "flag": true, "number": 3, "byte": UInt8(4), "fraction": 0.1 as Float,
      "null": NSNull(), "absent": absent as Any, "present": Optional(5) as Any,
      "list": [1, "two", [3]] as [Any], "tree": ["k": ["v"]], "set": Set([2, 1]),
      "big": UInt64.max, "boxed": NSNumber(value: true), "boxedNumber": NSNumber(value: 1.5),
      "typed": ["x", 1] as Parameters,
    ]
    #expect(
      try queryStringPairs(from: Parameters(untyped)).map { "\($0.field)=\($0.value ?? "nil")" }
        == [
          "absent=nil", "big=18446744073709551615", "boxed=1", "boxedNumber=1.5", "byte=4",
          "flag=1", "fraction=0.1", "list[]=1", "list[]=two", "list[][]=3", "null=nil", "number=3",
          "present=5", "set=1", "set=2", "text=a", "tree[k][]=v", "typed[]=x", "typed[]=1",
        ])
  }

  @Test(.covers("REQ-Q15"))
  func `dates are seconds since 1970, data is base64`() throws {
    let parameters = try Parameters([
      "a": ["when": Date(timeIntervalSince1970: 5.5)], "raw": [Data([0xFB, 0xFF])],
    ])
    #expect(
      try queryStringPairs(from: parameters).map { "\($0.field)=\($0.value ?? "nil")" }
        == ["a[when]=5.5", "raw[]=+/8="])
    #expect(
      message { try queryString(from: ["a": Date(timeIntervalSince1970: .nan)]) }
        == "The parameters cannot be encoded: the number at “a” is not finite.")
  }

  @Test
  func `values of other types are refused by the name of their type`() {
    struct Bird {}
    let error = failure { try Parameters(["a": Bird()]) }
    #expect(error?.code == .invalidParameters)
    #expect(
      error?.message
        == "The parameters cannot be encoded: the value at “a” is of type Bird: give text, a number, a boolean, a date, data, or a container of these with text for keys."
    )
  }

  @Test
  func `of two values with the same name the later counts`() throws {
    let twice = Parameters(dictionaryLiteral: ("a", 1), ("a", 2))
    #expect(try queryString(from: twice) == "a=2")
  }

  @Test
  func `interpolated text and values that encode themselves stand beside literals`() throws {
    let page = 3
    let parameters: Parameters = ["q": "page \(page)", "n": Parameters.encodable(page)]
    #expect(try queryString(from: parameters) == "n=3&q=page%203")
  }

  // MARK: Values in literals

  /// The query, without the escapes of brackets.
  private func query(_ parameters: Parameters, order: ParameterEncoding.Order = .sorted) throws
    -> String
  {
    var encoding = ParameterEncoding()
    encoding.order = order
    return try queryString(from: parameters, encoding: encoding)
      .replacing("%5B", with: "[").replacing("%5D", with: "]")
  }

  private func json(_ parameters: Parameters) throws -> String? {
    try JSONRequestSerializer().request(method: .post, url: .example, parameters: parameters)
      .body.text
  }

  private func propertyList(_ parameters: Parameters) throws -> NSDictionary {
    let request = try PropertyListRequestSerializer().request(
      method: .post, url: .example, parameters: parameters)
    let list = try PropertyListSerialization.propertyList(
      from: Data(try #require(request.body.bytes)), format: nil)
    return try #require(list as? [String: Any]) as NSDictionary
  }

  @Test func `variables of a literal are the same as constants`() throws {
    let text = "terns"
    let (number, fraction, flag) = (3, 0.5, true)
    let (date, data) = (Date(timeIntervalSince1970: 978_307_205), Data([0xFB]))
    let tags = ["sea", "bird"]
    let ages = ["from": 1, "to": 2]
    let parameters: Parameters = [
      "text": text, "number": number, "fraction": fraction, "flag": flag, "date": date,
      "data": data, "tags": tags, "ages": ages,
    ]
    #expect(
      try query(parameters) == "ages[from]=1&ages[to]=2&data=%2Bw%3D%3D&date=978307205&flag=1"
        + "&fraction=0.5&number=3&tags[]=sea&tags[]=bird&text=terns")
    #expect(
      try json(parameters)
        == #"{"ages":{"from":1,"to":2},"data":"+w==","date":5,"flag":true,"fraction":0.5,"number":3,"#
        + #""tags":["sea","bird"],"text":"terns"}"#)
    #expect(
      try propertyList(parameters) == [
        "text": text, "number": number, "fraction": fraction, "flag": flag, "date": date,
        "data": data, "tags": tags, "ages": ages,
      ])
    let list: Parameters = [text, number, flag, date, tags, ages, nil]
    #expect(
      try json(list) == #"["terns",3,true,5,["sea","bird"],{"from":1,"to":2},null]"#)
  }

  @Test func `nil and optional variables are null or their value`() throws {
    let (absent, present) = (Int?.none, Int?(3))
    let (twice, filter) = (Int??.some(nil), Parameters?.none)
    let parameters: Parameters = [
      "a": nil, "b": absent, "c": present, "d": twice, "e": filter, "f": filter ?? ["k": 1],
    ]
    #expect(try query(parameters) == "a&b&c=3&d&e&f[k]=1")
    #expect(try json(parameters) == #"{"a":null,"b":null,"c":3,"d":null,"e":null,"f":{"k":1}}"#)
    #expect(
      message { try propertyList(["b": absent]) }
        == "The parameters cannot be encoded: the value at “b” is null, which property lists do not have."
    )
    #expect(try query(["a": [absent, present], "b": ["k": absent]]) == "a[]&a[]=3&b[k]")
    #expect(
      try json(["a": [absent, present], "b": ["k": absent]]) == #"{"a":[null,3],"b":{"k":null}}"#)
  }

  @Test func `nested literals with a type contain values of any types, in their order`() throws {
    let name = "north"
    let parameters: Parameters = [
      "b": ["z": name, "a": 1, "m": nil] as Parameters,
      "a": [name, 2, nil, ["k": 3, "f": false] as Parameters] as Parameters,
      "c": [["k": name, "f": true] as Parameters, ["k": 4]],
      "d": ["k": ["f": true, "k": 5] as Parameters],
    ]
    #expect(
      try query(parameters)
        == "a[]=north&a[]=2&a[]&a[][f]=0&a[][k]=3&b[a]=1&b[m]&b[z]=north&c[][f]=1&c[][k]=north"
        + "&c[][k]=4&d[k][f]=1&d[k][k]=5")
    #expect(
      try query(parameters, order: .insertion)
        == "b[z]=north&b[a]=1&b[m]&a[]=north&a[]=2&a[]&a[][k]=3&a[][f]=0&c[][k]=north&c[][f]=1"
        + "&c[][k]=4&d[k][f]=1&d[k][k]=5")
    #expect(
      try json(parameters)
        == #"{"a":["north",2,null,{"f":false,"k":3}],"b":{"a":1,"m":null,"z":"north"},"#
        + #""c":[{"f":true,"k":"north"},{"k":4}],"d":{"k":{"f":true,"k":5}}}"#)
  }

  @Test func `the names of a nested Swift dictionary are sorted, also with the order of insertion`()
    throws
  {
    struct Filter: Encodable {
      var sizes = ["d": 1, "b": 2, "e": 3, "a": 4, "c": 5]
      var ages: [String: Int]? = ["d": 1, "b": 2, "e": 3, "a": 4, "c": 5]
    }
    let names = ["d": 1, "b": 2, "e": 3, "a": 4, "c": 5]
    let sorted = ["a": 4, "b": 2, "c": 5, "d": 1, "e": 3]
    func written(_ field: String) -> String {
      sorted.sorted { $0.key < $1.key }.map { "\(field)[\($0)]=\($1)" }.joined(separator: "&")
    }
    let literal: Parameters = ["z": 0, "k": ["d": 1, "b": 2, "e": 3, "a": 4, "c": 5], "a": 0]
    #expect(try query(literal, order: .insertion) == "z=0&\(written("k"))&a=0")
    #expect(try query(literal) == "a=0&\(written("k"))&z=0")
    #expect(
      try query(["z": [names], "y": Optional(names)], order: .insertion)
        == "\(written("z[]"))&\(written("y"))")
    #expect(
      try query(.encodable(Filter()), order: .insertion)
        == "\(written("sizes"))&\(written("ages"))")
    #expect(
      try query(.encodable(["f": Filter()]), order: .insertion)
        == "\(written("f[sizes]"))&\(written("f[ages]"))")
    #expect(try query(.encodable(names), order: .insertion) == "a=4&b=2&c=5&d=1&e=3")
  }

  @Test func `of two values with one name in a literal the later counts, in the first's position`()
    throws
  {
    let text = "later"
    let parameters: Parameters = [
      "b": 1, "a": nil, "b": text, "c": ["k": 1, "k": true] as Parameters,
    ]
    #expect(try query(parameters, order: .insertion) == "b=later&a&c[k]=1")
    #expect(try json(parameters) == #"{"a":null,"b":"later","c":{"k":true}}"#)
  }

  @Test func `parameters in a value that encodes itself are a part of it`() throws {
    struct Search: Encodable {
      var q = "terns"
      var more: Parameters = [
        "z": 1, "date": Date(timeIntervalSince1970: 978_307_205), "data": Data([0xFB]),
        "link": URL(string: "https://example.com/a"), "price": Decimal(string: "1.5"),
        "sizes": [1, 2], "none": nil, "area": ["name": "north", "is_open": true] as Parameters,
        "fraction": 0.5, "large": Parameters.unsigned(.max),
      ]
      var list: [Parameters] = [["a": 1, "b": "x"], [nil, true]]
      var map: [String: Parameters] = ["k": .integer(1)]
      var ids: Parameters = .set([.integer(2), .integer(1)])
      var absent: Parameters?
    }
    let parameters: Parameters = ["s": Search()]
    let pairs = [
      "q=terns", "more[z]=1", "more[date]=978307205", "more[data]=%2Bw%3D%3D",
      "more[link]=https%3A//example.com/a", "more[price]=1.5", "more[sizes][]=1",
      "more[sizes][]=2", "more[none]", "more[area][name]=north", "more[area][is_open]=1",
      "more[fraction]=0.5", "more[large]=18446744073709551615", "list[][a]=1", "list[][b]=x",
      "list[][]", "list[][]=1", "map[k]=1", "ids=1", "ids=2",
    ]
    #expect(
      try query(.encodable(Search()), order: .insertion) == pairs.joined(separator: "&"))
    let object =
      #"{"ids":[2,1],"list":[{"a":1,"b":"x"},[null,true]],"map":{"k":1},"#
      + #""more":{"area":{"is_open":true,"name":"north"},"data":"+w==","date":5,"fraction":0.5,"#
      + #""large":18446744073709551615,"link":"https://example.com/a","none":null,"price":1.5,"#
      + #""sizes":[1,2],"z":1},"q":"terns"}"#
    #expect(
      try json(parameters) == #"{"s":\#(object.replacing("/", with: "\\/"))}"#)
    var serializer = JSONRequestSerializer(writingOptions: [.sortedKeys, .withoutEscapingSlashes])
    let sorted = try serializer.request(
      method: .post, url: .example, parameters: .encodable(Search()))
    #expect(sorted.body.text == object)
    serializer.makeEncoder = {
      let encoder = JSONEncoder()
      encoder.dateEncodingStrategy = .secondsSince1970
      encoder.dataEncodingStrategy = .custom { data, encoder in
        try data.count.encode(to: encoder)
      }
      return encoder
    }
    let custom = try serializer.request(
      method: .post, url: .example, parameters: .encodable(Search()))
    #expect(
      custom.body.text
        == object.replacing(#""date":5"#, with: #""date":978307205"#)
        .replacing(#""+w==""#, with: "1"))
  }

  @Test func `parameters in a value become a part of its property list`() throws {
    struct Search: Encodable {
      var more: Parameters = [
        "date": Date(timeIntervalSince1970: 5), "data": Data([0xFB]), "n": 1, "s": "x",
        "list": [1, 0.5, true] as Parameters,
      ]
    }
    let more: NSDictionary = [
      "date": Date(timeIntervalSince1970: 5), "data": Data([0xFB]), "n": 1, "s": "x",
      "list": [1, 0.5, true] as [Any],
    ]
    #expect(try propertyList(.encodable(Search())) == ["more": more])
    #expect(try propertyList(["s": Search()]) == ["s": ["more": more]])
  }

  @Test func `parameters that are wrapped as an encodable value are the same`() throws {
    let inner: Parameters = ["a": 1, "b": ["k": nil, "l": "x"] as Parameters]
    for parameters in [inner, .encodable(inner), .encodable(Parameters.encodable(inner))] {
      #expect(try query(parameters) == "a=1&b[k]&b[l]=x")
      let request = try JSONRequestSerializer(writingOptions: .sortedKeys).request(
        method: .post, url: .example, parameters: parameters)
      #expect(request.body.text == #"{"a":1,"b":{"k":null,"l":"x"}}"#)
    }
  }

  @Test func `numbers of every type, URLs and enumerations are values`() throws {
    enum Kind: String, Encodable { case tern }
    enum Size: Int, Encodable { case small = 3 }
    let url = try #require(URL(string: "https://example.com/a?b"))
    let price = try #require(Decimal(string: "12.34"))
    let id = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
    let parameters: Parameters = [
      "int8": Int8(-5), "int64": Int64.min, "uint8": UInt8.max, "uint64": UInt64.max,
      "float": Float(0.1), "cgFloat": CGFloat(1.5), "decimal": price, "url": url, "kind": Kind.tern,
      "size": Size.small, "id": id,
    ]
    #expect(
      try query(parameters)
        == "cgFloat=1.5&decimal=12.34&float=0.1&id=\(id)&int64=-9223372036854775808"
        + "&int8=-5&kind=tern&size=3&uint64=18446744073709551615&uint8=255"
        + "&url=https%3A//example.com/a?b")
    #expect(
      try json(parameters)
        == #"{"cgFloat":1.5,"decimal":12.34,"float":0.1,"id":"\#(id)","int64":-9223372036854775808,"#
        + #""int8":-5,"kind":"tern","size":3,"uint64":18446744073709551615,"uint8":255,"#
        + #""url":"https:\/\/example.com\/a?b"}"#)
  }

  @Test func `a value that fails to encode is an error in every format`() throws {
    struct Broken: Encodable {
      struct Refusal: Error {}
      func encode(to encoder: any Encoder) throws { throw Refusal() }
    }
    let broken: [Parameters] = [
      ["a": Broken()], ["a": 1, "b": ["k": Broken()]], ["a": [Broken()]],
      ["a": ["k": Broken(), "l": 1] as Parameters],
    ]
    for parameters in broken {
      for error in [
        failure { try query(parameters) }, failure { try json(parameters) },
        failure { try propertyList(parameters) },
      ] {
        #expect(error?.code == .invalidParameters)
        #expect(error?.underlying is Broken.Refusal)
        #expect(error?.message.hasPrefix("The parameters cannot be encoded: ") == true)
        #expect(error?.message.contains("Broken") == true)
      }
    }
  }
}
