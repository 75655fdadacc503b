// Compiled as an application would be: `import Martlet`, and no feature flag.

import Foundation
import Martlet
import MartletTesting
import Testing

/// Keeps each response in two files of a folder, one for what is known of it and one for its body.
struct FolderCache: ResponseCache {
  let folder: URL

  private struct Entry: Codable {
    var key: CacheKey
    var record: Data
  }

  func responses(for key: CacheKey) async throws -> [CachedResponse] {
    try entries().filter { $0.1.key == key }.compactMap { file, entry in
      guard let record = CachedResponse.Record(serialized: entry.record) else { return nil }
      return CachedResponse(record, body: ResponseBody(file: file.appendingPathExtension("body")))
    }
  }

  func store(_ response: CachedResponse, for key: CacheKey) async throws {
    for (file, entry) in try entries() where entry.key == key {
      let old = CachedResponse.Record(serialized: entry.record)
      if old?.variant == response.record.variant { try remove(file) }
    }
    let file = folder.appending(path: UUID().uuidString)
    let bytes = try await response.body.collect()
    try Data(bytes.readableBytesView).write(to: file.appendingPathExtension("body"))
    try JSONEncoder().encode(Entry(key: key, record: response.record.serialized))
      .write(to: file.appendingPathExtension("json"))
  }

  func remove(url: String) async throws {
    for (file, entry) in try entries() where entry.key.url == url { try remove(file) }
  }

  func removeAll() async throws {
    for (file, _) in try entries() { try remove(file) }
  }

  private func entries() throws -> [(URL, Entry)] {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "json" }
      .map { file in
        let entry = try JSONDecoder().decode(Entry.self, from: Data(contentsOf: file))
        return (file.deletingPathExtension(), entry)
      }
  }

  private func remove(_ file: URL) throws {
    for kind in ["json", "body"] {
      try FileManager.default.removeItem(at: file.appendingPathExtension(kind))
    }
  }
}

/// A cache that is written outside of Martlet.
@Suite(.timeLimit(.minutes(5)))
struct CacheStoreSampleTests {
  @Test func `a cache of one's own keeps responses over the end of a session`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let fields: KeyValuePairs = [
      "Content-Type": "application/json", "Cache-Control": "max-age=60",
      "Vary": "Accept-Language, Cookie", "Connection": "close",
    ]
    let server = try await ScriptedServer.start(
      .reply(CannedResponse(200, fields, "\"tern\"")),
      .reply(CannedResponse(200, fields, "\"Seeschwalbe\"")))
    for _ in 0..<2 {
      let api = HTTPSessionManager(baseURL: server.url()) { $0.cache = FolderCache(folder: folder) }
      for (language, bird) in [("en", "tern"), ("de", "Seeschwalbe")] {
        let headers: RequestHeaders = [.acceptLanguage: language, .cookie: "id=secret"]
        #expect(try await api.get("bird", headers: headers, as: String.self) == bird)
      }
    }
    #expect(server.receivedRequests.count == 2)
    for file in try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    {
      #expect(try !String(contentsOf: file, encoding: .utf8).contains("secret"))
    }
    await server.stop()
  }
}
