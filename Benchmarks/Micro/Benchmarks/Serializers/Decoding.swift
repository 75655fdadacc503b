import Benchmark
import Foundation
import HTTPTypes
import Martlet
import MartletTesting
import NIOCore

private struct User: Decodable, Sendable {
  var id: Int
  var name: String
  var email: String
  var isActive: Bool
  var score: Double
  var tags: [String]
}

/// 16 KiB of JSON, as other benchmarks decode it.
private let text: Data = {
  let users = (0..<120).map { number -> JSON in
    [
      "id": .integer(Int64(number)), "name": "Ada Lovelace № \(number)",
      "email": "ada.\(number)@example.com", "isActive": .bool(number % 3 == 0),
      "score": .double(Double(number) * 1.25), "tags": ["tern", "gull", "skua"],
    ]
  }
  return JSON.array(users).data()
}()

private func response(to request: URL) -> Response {
  Response(
    head: ResponseHead(
      status: .ok,
      headers: [.contentType: "application/json", .contentLength: "\(text.count)"]),
    url: request, body: ResponseBody(bytes: ByteBuffer(bytes: text)))
}

func decoding() {
  let place = URL(filePath: "/users")
  Benchmark("JSON of 16 KiB, as a type") { benchmark in
    let answer = response(to: place)
    benchmark.startMeasurement()
    blackHole(try DecodableResponseSerializer<[User]>().serialize(answer, data: text))
  }

  Benchmark("JSON of 16 KiB, as a value") { benchmark in
    let answer = response(to: place)
    benchmark.startMeasurement()
    blackHole(try JSONResponseSerializer().serialize(answer, data: text))
  }

  Benchmark("JSON of 16 KiB, by a session manager in this process") { benchmark in
    let api = HTTPSessionManager(baseURL: URL(string: "http://test")) {
      $0.transport = InProcessTransport { response(to: $0.url) }
    }
    benchmark.startMeasurement()
    let users: [User] = try await api.get("users")
    benchmark.stopMeasurement()
    blackHole(users)
    api.session.invalidateSession(cancelingTasks: true)
  }
}
