import Foundation
import Martlet
import NIOCore
import SpecificationCoverage
import Testing

/// What untyped values are, as JSON and as parameters.
struct UntypedValueTests {
  private let values: [(name: String, value: Any, json: JSON)] = [
    ("Bool", true, true), ("boxed Bool", NSNumber(value: false), false),
    ("Int8", Int8(5), 5), ("Int8 of 1", Int8(1), 1), ("Int8 of 0", Int8(0), 0),
    ("boxed Int8 of 1", NSNumber(value: Int8(1)), 1),
    ("boxed UInt8", NSNumber(value: UInt8(200)), 200),
    ("Int16", Int16(-5), -5), ("UInt32", UInt32.max, 4_294_967_295),
    ("Int", Int.min, .integer(.min)),
    ("UInt64", UInt64.max, .unsigned(.max)), ("small UInt64", UInt64(7), 7),
    ("Float", Float(0.5), 0.5), ("Double", 2.5, 2.5), ("CGFloat", CGFloat(1.5), 1.5),
    ("Decimal", Decimal(string: "1.5") as Any, 1.5), ("Int128", Int128(9), 9),
    ("String", "a", "a"), ("Substring", "ab".dropLast(), "a"), ("NSString", NSString("a"), "a"),
    ("NSNull", NSNull(), nil), ("nothing", Int?.none as Any, nil), ("something", Int?(3) as Any, 3),
    ("array", [1, "a", [Int8(2)]] as [Any], [1, "a", [2]]), ("typed array", [Int8(1)], [1]),
    ("dictionary", ["k": ["v": Int8(1)]], ["k": ["v": 1]]),
    ("typed dictionary", ["k": UInt8(1)], ["k": 1]),
  ]

  @Test func `a value is the same as JSON and as a parameter`() throws {
    for (name, value, json) in values {
      #expect((try? JSON(value)) == json, "\(name)")
      let parameters = try Parameters(["k": value])
      let request = try JSONRequestSerializer().serialize(
        Request(.post, "http://h/"), parameters: parameters)
      guard case .bytes(let bytes) = request.body.source else { throw MartletError.cancelled }
      #expect(try JSON(parsing: Data(bytes.readableBytesView)) == ["k": json], "\(name)")
    }
  }

  @Test(.covers("REQ-J5"))
  func `what has no form in JSON is refused at any depth`() {
    for value in [Date(), Data(), Set([1]), Double.infinity, Float.nan, Int128.max] as [Any] {
      for tree in [value, [value], ["k": ["k": value]]] as [Any] {
        #expect(
          message { try JSON(tree) } == "The `parameters` argument is not valid JSON.")
      }
    }
  }

  @Test func `JSON in an untyped tree stays what it is`() throws {
    let json: JSON = ["a": [nil, 1]]
    #expect(try JSON(["k": json]) == ["k": json])
  }
}
