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
      message { try queryString(from: ["a": .date(Date(timeIntervalSince1970: .nan))]) }
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
    let parameters: Parameters = ["q": "page \(page)", "n": .encodable(page)]
    #expect(try queryString(from: parameters) == "n=3&q=page%203")
  }
}
