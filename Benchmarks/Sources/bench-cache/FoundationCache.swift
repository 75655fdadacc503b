import Foundation
import FoundationNetworking

/// Foundation's `URLCache`, by its own functions: on Linux, the functions of `URLSession` for async callers do not use it.
struct FoundationCache {
  private let cache: URLCache
  private let requests: [URLRequest]

  /// A cache with 1000 responses of 1 KiB, in memory or in a folder.
  init(in folder: URL?) throws {
    let inMemory = folder == nil
    cache = URLCache(
      memoryCapacity: inMemory ? 64 << 20 : 0, diskCapacity: inMemory ? 0 : 64 << 20,
      diskPath: folder?.path)
    requests = (0..<1000).compactMap { number in
      URL(string: "https://api.example.com/birds/\(number)").map { URLRequest(url: $0) }
    }
    let fields = [
      "Content-Type": "application/json", "Cache-Control": "max-age=3600", "ETag": "\"tern\"",
      "Content-Length": "1024", "Date": "Sun, 06 Nov 1994 08:49:37 GMT", "Server": "martlet",
    ]
    for request in requests {
      guard let url = request.url,
        let head = HTTPURLResponse(
          url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: fields)
      else { throw URLError(.badURL) }
      let response = CachedURLResponse(response: head, data: Data(repeating: 7, count: 1024))
      cache.storeCachedResponse(response, for: request)
    }
  }

  /// Looks a response up.
  func hit(_ number: Int) throws {
    guard cache.cachedResponse(for: requests[number % 1000])?.data.count == 1024 else {
      throw URLError(.resourceUnavailable)
    }
  }
}
