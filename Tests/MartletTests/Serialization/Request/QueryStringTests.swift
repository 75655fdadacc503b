import Foundation
import Martlet
import SpecificationCoverage
import Testing

struct QueryStringTests {
  /// The examples of section 2.3 of the specification.
  @Test(
    .covers("REQ-Q7", "REQ-Q9", "REQ-Q13", "REQ-Q14", "T-REQ-14"),
    arguments: [
      (["key": "value", "key1": "value&"], "key=value&key1=value%26"),
      (
        ["key": " :#[]@!$&'()*+,;=/?"],
        "key=%20%3A%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D/?"
      ),
      (
        ["foo": "bar", "baz": [1, 2, 3]],
        "baz%5B%5D=1&baz%5B%5D=2&baz%5B%5D=3&foo=bar"
      ),
      (["a": ["b": 1, "B": 2]], "a%5BB%5D=2&a%5Bb%5D=1"),
      (
        ["key": [["key": "value1"], ["key": "value2"], "key1"] as Parameters, "key2": "value3"],
        "key%5B%5D%5Bkey%5D=value1&key%5B%5D%5Bkey%5D=value2&key%5B%5D=key1&key2=value3"
      ),
      (["a": nil, "b": ""], "a&b="),
      (["a": [] as Parameters, "b": [:] as Parameters], ""),
      (["on": true], "on=1"),
      (["x": Set([2, 1])], "x=1&x=2"),
    ] as [(Parameters, String)])
  func `the worked examples come out as written`(parameters: Parameters, query: String) throws {
    #expect(try queryString(from: parameters) == query)
  }

  @Test(.covers("REQ-Q8"))
  func `names are sorted by code point, so that B goes before a and 10 before 9`() throws {
    #expect(try queryString(from: ["a": 1, "B": 2, "9": 3, "10": 4]) == "10=4&9=3&B=2&a=1")
    #expect(try queryString(from: ["é": 1, "z": 2, "Z": 3]) == "Z=3&z=2&%C3%A9=1")
  }

  @Test(.covers("REQ-Q10"))
  func `nested arrays have brackets and never an index`() throws {
    #expect(
      try queryStringPairs(from: ["a": [[1, 2], ["k": 3], [[4]]] as Parameters]) == [
        QueryStringPair(field: "a[][]", value: "1"), QueryStringPair(field: "a[][]", value: "2"),
        QueryStringPair(field: "a[][k]", value: "3"),
        QueryStringPair(field: "a[][][]", value: "4"),
      ])
  }

  @Test(.covers("REQ-Q11"))
  func `elements of a set share its name and are sorted as text`() throws {
    let set = Parameters.set([.string("b"), .string("B"), .integer(10), .integer(9)])
    #expect(try queryString(from: ["a": set]) == "a=10&a=9&a=B&a=b")
    #expect(try queryString(from: ["a": Set(["b", "B", "10", "9"])]) == "a=10&a=9&a=B&a=b")
    #expect(try queryString(from: ["a": ["b": Set([2, 1])]]) == "a%5Bb%5D=1&a%5Bb%5D=2")
  }

  @Test(.covers("REQ-Q12"))
  func `empty containers say nothing at any depth`() throws {
    #expect(try queryString(from: [:]).isEmpty)
    let containers: Parameters = [[] as Parameters, [:] as Parameters, ["b": [] as Parameters]]
    #expect(try queryString(from: ["a": containers, "c": Parameters.set([])]).isEmpty)
    #expect(
      try queryString(from: ["a": [[String: [Int]]()], "b": ["c": [Int]()], "d": Set<Int>()])
        .isEmpty)
  }

  @Test(.covers("REQ-Q13"))
  func `null is a name alone, and an empty text a name with an equals sign`() throws {
    #expect(try queryString(from: ["a": ["b": nil] as Parameters]) == "a%5Bb%5D")
    #expect(try queryString(from: ["a": [nil, ""] as Parameters]) == "a%5B%5D&a%5B%5D=")
    #expect(try queryString(from: ["a": [nil, ""]]) == "a%5B%5D&a%5B%5D=")
  }

  @Test(.covers("REQ-Q14"))
  func `a pair is escaped as a whole`() {
    #expect(QueryStringPair(field: "a[b]", value: "c&").percentEscaped == "a%5Bb%5D=c%26")
    #expect(QueryStringPair(field: "a", value: nil).percentEscaped == "a")
  }

  @Test(
    .covers("REQ-Q15"),
    arguments: [
      (.bool(true), "1"), (.bool(false), "0"), (.integer(-7), "-7"), (.double(1.0), "1"),
      (.double(0.1), "0.1"), (.double(-0.5), "-0.5"), (.double(1e300), "1e+300"),
      (.unsigned(.max), "18446744073709551615"), (.string("text"), "text"),
    ] as [(Parameters, String)])
  func `values are written as people write them`(value: Parameters, text: String) throws {
    #expect(try queryStringPairs(from: ["v": value]).first?.value == text)
  }

  @Test(.covers("REQ-Q15"), arguments: [Double.nan, .infinity])
  func `a number that is not finite is refused`(number: Double) {
    #expect(
      message { try queryString(from: ["a": [number]]) }
        == "The parameters cannot be encoded: the number at “a[]” is not finite.")
  }

  @Test(.covers("REQ-Q16"))
  func `pairs are joined without a separator at either end`() throws {
    #expect(try queryString(from: ["a": 1, "b": [] as Parameters, "c": 2]) == "a=1&c=2")
  }

  @Test(
    .covers("REQ-Q17"),
    arguments: [.string("text"), .integer(1), ["a"], .set([.string("a")]), .null] as [Parameters])
  func `parameters without names are refused`(parameters: Parameters) {
    #expect(
      message { try queryString(from: parameters) }
        == "The parameters cannot be encoded: a query or form needs names, so the top level must be a dictionary."
    )
  }
}
