import Foundation
import Martlet
import SpecificationCoverage
import Testing

struct ParameterEncoderTests {
  private func pairs(_ value: some Encodable & Sendable) throws -> [String] {
    try queryStringPairs(from: .encodable(value))
      .map { $0.field + ($0.value.map { "=" + $0 } ?? "") }
  }

  @Test
  func `a struct becomes names and values`() throws {
    struct Search: Encodable {
      var q = "terns"
      var tags = ["sea", "bird"]
      var page = Page()
      var strict = true
      var after: Int?
      var ratio: Float = 0.1
    }
    struct Page: Encodable {
      var size: UInt8 = 20
      var weight = 1.0
    }
    #expect(
      try pairs(Search()) == [
        "page[size]=20", "page[weight]=1", "q=terns", "ratio=0.1", "strict=1", "tags[]=sea",
        "tags[]=bird",
      ])
  }

  @Test
  func `null is kept where a type encodes it`() throws {
    #expect(try pairs(["a": Int?.none, "b": 1]) == ["a", "b=1"])
    #expect(try pairs(["a": [Int?.none, 1]]) == ["a[]", "a[]=1"])
  }

  @Test
  func `URLs, dates, data and decimals have the documented forms`() throws {
    struct Forms: Encodable {
      var url = URL(string: "https://example.com/a?b")
      var date = Date(timeIntervalSince1970: 86_400.5)
      var data = Data([0xFB, 0xFF])
      var price = Decimal(string: "12.340000000000000001")
      var set = Set([2, 1])
    }
    #expect(
      try pairs(Forms()) == [
        "data=+/8=", "date=86400.5", "price=12.340000000000000001", "set=1", "set=2",
        "url=https://example.com/a?b",
      ])
  }

  @Test
  func `a set keeps its kind in an optional and in a type that encodes only the set`() throws {
    struct IDs: Encodable {
      var ids: Set<Int>
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(ids)
      }
    }
    let set = Set(1...9)
    let expected = (1...9).map { "ids=\($0)" }
    #expect(try pairs(["ids": set]) == expected)
    #expect(try pairs(["ids": Optional(set)]) == expected)
    #expect(try pairs(["ids": IDs(ids: set)]) == expected)
  }

  @Test
  func `nested containers and super encoders are written in their places`() throws {
    struct Nested: Encodable {
      enum Key: String, CodingKey { case list, map, parent }

      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        var list = container.nestedUnkeyedContainer(forKey: .list)
        try list.encode(1)
        try list.encodeNil()
        var inner = list.nestedUnkeyedContainer()
        try inner.encode(2)
        var map = list.nestedContainer(keyedBy: Key.self)
        try map.encodeNil(forKey: .map)
        try 4.encode(to: list.superEncoder())
        var keyed = container.nestedContainer(keyedBy: Key.self, forKey: .map)
        try keyed.encode("x", forKey: .map)
        try "base".encode(to: container.superEncoder())
        try "named".encode(to: container.superEncoder(forKey: .parent))
        #expect(list.count == 5)
      }
    }
    #expect(
      try pairs(Nested()) == [
        "list[]=1", "list[]", "list[][]=2", "list[][map]", "list[]=4", "map[map]=x",
        "parent=named", "super=base",
      ])
  }

  @Test
  func `a value that encodes nothing says nothing`() throws {
    struct Silent: Encodable {
      func encode(to encoder: any Encoder) throws {}
    }
    #expect(try pairs(Silent()).isEmpty)
    #expect(try pairs(["a": Silent()]).isEmpty)
  }

  @Test(.covers("REQ-Q17"))
  func `a value without names is refused`() {
    #expect(failure { try pairs([1, 2]) }?.code == .invalidParameters)
    #expect(failure { try pairs("text") }?.code == .invalidParameters)
  }

  @Test
  func `what a value throws is kept beneath a sentence`() {
    struct Broken: Encodable {
      func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(
          self, .init(codingPath: encoder.codingPath, debugDescription: "it is broken"))
      }
    }
    let error = failure { try pairs(["a": Broken()]) }
    #expect(
      error?.message
        == "The parameters cannot be encoded: Dictionary<String, Broken> does not encode, because it is broken."
    )
    #expect(error?.underlying is EncodingError)
  }
}
