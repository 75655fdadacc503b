import EssentialFoundation
import MartletEssentials
import MartletTesting
import SystemPackage

/// Steps that send requests and check the values in the responses.
extension DemoStep {
  /// The response of `/get` and `/post`, which describes the request.
  private struct Echo: Decodable, Sendable {
    var args: [String: Arguments]?
    var form: [String: String]?
    var json: Bird?
    var url: String
  }

  /// The values of a query parameter. httpbin returns one value as a string and several as an array.
  private enum Arguments: Decodable, Sendable, Equatable {
    case one(String)
    case several([String])

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let one = try? container.decode(String.self) {
        self = .one(one)
      } else {
        self = .several(try container.decode([String].self))
      }
    }
  }

  private struct Bird: Codable, Sendable, Equatable {
    var name: String
    var grams: Int
  }

  private struct Compressed: Decodable, Sendable {
    var gzipped: Bool
  }

  static let typedGet = DemoStep(title: "typed GET") { environment in
    let echo: Echo = try await environment.api.get("get")
    try check(echo.url == environment.plain.url("/get").absoluteString, "the URL to come back")
    return "decoded the JSON of \(echo.url)"
  }

  static let query = DemoStep(title: "GET with parameters") { environment in
    let echo = try await environment.api.get(
      "get", parameters: ["q": "arctic tern", "page": 2], as: Echo.self)
    try check(echo.args?["q"] == .one("arctic tern"), "the parameter to come back")
    return "requested \(echo.url)"
  }

  static let formPost = DemoStep(title: "form POST") { environment in
    let echo: Echo = try await environment.api.post("post", parameters: ["name": "Tern & Söhne"])
    try check(echo.form == ["name": "Tern & Söhne"], "the form to come back")
    return "name = Tern & Söhne, and the server read the same"
  }

  static let jsonPost = DemoStep(title: "JSON POST") { environment in
    let api = HTTPSessionManager(baseURL: environment.plain.url("/")) {
      $0.requestSerializer = JSONRequestSerializer()
    }
    let bird = Bird(name: "Swift", grams: 40)
    let echo: Echo = try await api.post("post", parameters: .encodable(bird))
    try check(echo.json == bird, "the value to come back")
    return "sent \(bird.name), \(bird.grams) g, as an Encodable, and got it back as a Decodable"
  }

  static let gzip = DemoStep(title: "gzip body") { environment in
    let response = try await environment.api.get("gzip")
    try check(response.headers[.contentEncoding] == "gzip", "a compressed response")
    let answer: Compressed = try await environment.api.get("gzip")
    try check(answer.gzipped, "the body to be decompressed")
    return "decompressed the body"
  }

  static let redirect = DemoStep(title: "redirects") { environment in
    let response = try await environment.api.get("redirect/3")
    try check(response.status == .ok, "status 200 after the redirects")
    try check(response.url == environment.plain.url("/get"), "the last URL")
    return "followed 3, to \(response.url)"
  }
}

/// Downloads.
extension DemoStep {
  static let download = DemoStep(title: "download to a file") { environment in
    let file = environment.folder.appending(path: "download.bin")
    let bar = SingleProgressBar(on: .output)
    _ = try await environment.api.download("slow-download", to: file) { bar.update($0) }
    bar.finish()
    let size = try Stat(FilePath(file.path)).size
    try check(size == DemoEnvironment.downloadSize, "\(DemoEnvironment.downloadSize) bytes")
    return "\(ByteCount.text(Int64(DemoEnvironment.downloadSize))), never held in memory as a whole"
  }
}
