import Foundation
import Martlet
import SpecificationCoverage
import Testing

/// Serializers are values: a copy is an assignment, and an archive is what `Codable` makes.
struct ArchivingTests {
  private func restored<Serializer: HTTPResponseSerializing & Codable>(_ serializer: Serializer)
    throws -> Serializer
  {
    let archive = try JSONEncoder().encode(serializer)
    return try JSONDecoder().decode(Serializer.self, from: archive)
  }

  private let http = HTTPResponseSerializer(
    acceptableStatusCodes: [200, 418], acceptableContentTypes: ["a/b"])

  @Test(.covers("T-RES-07", "RES-B2"))
  func `validation survives an archive`() throws {
    #expect(try restored(http) == http)
    #expect(try restored(HTTPResponseSerializer()) == HTTPResponseSerializer())
    let lax = HTTPResponseSerializer(acceptableStatusCodes: nil)
    #expect(try restored(lax).acceptableStatusCodes == nil)
  }

  @Test(.covers("T-JSN-15", "T-JSN-16", "RES-J11"))
  func `a JSON serializer survives an archive`() throws {
    #expect(try restored(JSONResponseSerializer()) == JSONResponseSerializer())
    var serializer = JSONResponseSerializer(readingOptions: .fragmentsAllowed)
    serializer.removesKeysWithNullValues = true
    serializer.http = http
    let copy = try restored(serializer)
    #expect(copy == serializer)
    #expect(copy.readingOptions == .fragmentsAllowed)
    #expect(copy.removesKeysWithNullValues)
  }

  @Test(.covers("T-PLR-05", "RES-P4"))
  func `a property list serializer survives an archive`() throws {
    #expect(try restored(PropertyListResponseSerializer()) == PropertyListResponseSerializer())
    let serializer = PropertyListResponseSerializer(
      format: .binary, readOptions: .mutableContainers)
    let copy = try restored(serializer)
    #expect(copy.format == .binary)
    #expect(copy.readOptions == .mutableContainers)
    #expect(copy == serializer)
  }

  @Test
  func `a text serializer survives an archive`() throws {
    #expect(try restored(TextResponseSerializer()).encoding == nil)
    #expect(try restored(TextResponseSerializer(encoding: .isoLatin1)).encoding == .isoLatin1)
  }

  @Test(.covers("T-CMP-03", "RES-C8"))
  func `a compound survives an archive, with its components in order`() throws {
    var serializer = CompoundResponseSerializer(
      PropertyListResponseSerializer(format: .binary), JSONResponseSerializer())
    serializer.http = http
    let copy = try restored(serializer)
    #expect(copy == serializer)
    let first = try #require(copy.components.first as? PropertyListResponseSerializer)
    #expect(first.format == .binary)
  }

  @Test
  func `an archive of another serializer is refused`() throws {
    let archive = try JSONEncoder().encode(TextResponseSerializer())
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(JSONResponseSerializer.self, from: archive)
    }
  }
}
