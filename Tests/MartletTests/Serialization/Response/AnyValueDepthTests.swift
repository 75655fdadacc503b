import Foundation
import Martlet
import Testing

private struct Page<Value: Decodable & Sendable>: Decodable, Sendable {
  var extra: Value
}

/// Values of any type inside of types that are declared.
@Suite(.timeLimit(.minutes(1)))
struct AnyValueDepthTests {
  private static let sentence =
    "The response could not be decoded as Page<%>: the body is malformed: values of any type may nest at most 64 levels deep."

  private func json(_ depth: Int) throws -> Page<JSON> {
    let nested = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    return try DecodableResponseSerializer().serialize(
      .make(200, "application/json"), data: .text("{\"extra\":\(nested)}"))
  }

  private func list(_ depth: Int) throws -> Page<PropertyList> {
    let nested =
      String(repeating: "<array>", count: depth) + String(repeating: "</array>", count: depth)
    let text = "<plist><dict><key>extra</key>\(nested)</dict></plist>"
    return try DecodableResponseSerializer(decoder: PropertyListDecoder()).serialize(
      .make(200, "application/x-plist"), data: .text("<?xml version=\"1.0\"?>" + text))
  }

  @Test
  func `they are taken up to 64 levels deep`() throws {
    #expect(try json(64).extra.arrayValue?.count == 1)
    #expect(try list(64).extra.arrayValue?.count == 1)
  }

  @Test(arguments: [65, 500])
  func `deeper ones are refused at once`(depth: Int) {
    #expect(message { try json(depth) } == Self.sentence.replacing("%", with: "JSON"))
    #expect(message { try list(depth) } == Self.sentence.replacing("%", with: "PropertyList"))
  }
}
