import Foundation
import HTTPTypes
import NIOCore

@testable import MartletEssentials
@testable import MartletRedisCache

/// What a cache reads: the fields of messages, records of stored responses, and replies of Redis.
extension Target {
  private static let now = Date(timeIntervalSince1970: 784_111_777)

  /// Each line is a field: a name, a colon and a value. The fields before the first empty line are those of the request,
  /// the others those of the response.
  func cacheFields(_ data: Data) throws {
    let text = String(decoding: data, as: UTF8.self)
    let sections = text.split(separator: "\n\n", maxSplits: 1)
    let url = URL(fileURLWithPath: "/terns")
    let request = Request(url: url, headers: Self.fields(sections.first ?? ""))
    let head = ResponseHead(status: .ok, headers: Self.fields(sections.dropFirst().first ?? ""))
    for mode in [CacheOptions.Mode.private, .shared] {
      var options = CacheOptions()
      options.mode = mode
      let metadata = CacheMetadata(head)
      let sent = SentRequest(
        request, CacheKey(request), "/terns", nil, at: Self.now, removalCount: 0)
      let isStorable = Storability.isStorable(head, metadata, to: sent, options)
      guard isStorable, let lookup = CacheLookup(request, options, nil) else { continue }
      let record = CachedResponse.Record(
        head, metadata, to: request, "/terns", sent: Self.now, received: Self.now)
      let again = CachedResponse.Record(serialized: record.serialized)
      precondition(again == record)
      // The request that was answered asks for the same variant.
      precondition(record.matches(request))
      let stored = CachedResponse(record, body: .empty)
      for seconds in [-1e9, 0, 1, 1e9] {
        _ = lookup.decision(among: [stored], at: Self.now + seconds)
      }
      precondition(record.usefulLifetime(retention: 60, at: Self.now) >= 0)
    }
  }

  static func fields(_ text: Substring) -> HTTPFields {
    var fields = HTTPFields()
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard let name = parts.first.flatMap({ HTTPField.Name(String($0)) }) else { continue }
      fields.append(HTTPField(name: name, value: String(parts.dropFirst().first ?? "")))
    }
    return fields
  }

  func cacheRecord(_ data: Data) throws {
    guard let record = CachedResponse.Record(serialized: data) else { return }
    let again = CachedResponse.Record(serialized: record.serialized)
    precondition(again == record)
    precondition(record.variant.isEmpty == record.varyHeaders.isEmpty)
    _ = (record.url, record.description, record.timeToLive(at: Self.now))
    precondition(record.usefulLifetime(retention: 60, at: Self.now) >= 0)
  }

  func redisReply(_ data: Data) {
    let bytes = Array(data)
    precondition(Self.replies([bytes]) == Self.replies(bytes.map { [$0] }))
  }

  /// The replies in pieces, and the reason why there are no more.
  private static func replies(_ pieces: [[UInt8]]) -> [String] {
    var decoder = RESPDecoder(RESPDecoder.Limits(line: 64, bulk: 256, reply: 1024))
    var (buffer, replies) = (ByteBuffer(), [String]())
    do {
      for piece in pieces {
        buffer.writeBytes(piece)
        while let reply = try decoder.decode(buffer: &buffer) { replies.append("\(reply)") }
      }
    } catch {
      replies.append("\(error)")
    }
    return replies
  }
}
