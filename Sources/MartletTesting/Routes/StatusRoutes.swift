import HTTPTypes

extension Router {
  /// Whatever status is asked for.
  static let statusRoutes: [Route] = [
    .any("/status/:codes") { request in
      let code = try StatusChoice(request.text("codes")).pick()
      var response = ServerResponse(
        HTTPResponse.Status(code: code), headers: [.contentType: "text/html; charset=utf-8"])
      response.headers.append(contentsOf: companions(of: code))
      return response
    },
    .any("/delay/:seconds") { request in
      try await Task.sleep(for: ServerRequest.seconds(request.text("seconds")))
      return try .json(Echo(request).messageWithBody)
    },
  ]

  /// The field without which a status makes no sense.
  private static func companions(of code: Int) -> HTTPFields {
    switch code {
    case 301, 302, 303, 307, 308: [.location: "/redirect/1"]
    case 401: [.wwwAuthenticate: "Basic realm=\"Fake Realm\""]
    case 407: [.proxyAuthenticate: "Basic realm=\"Fake Realm\""]
    default: [:]
    }
  }
}

/// One status, or several of which one is drawn: `200`, `200,500`, `200:0.9,500:0.1`.
struct StatusChoice {
  private let choices: [(code: Int, weight: Double)]

  init(_ text: String) throws {
    choices = try text.split(separator: ",").map { choice in
      let parts = choice.split(separator: ":", maxSplits: 1)
      // An interim status would announce another, which never comes.
      guard let first = parts.first, let code = Int(first), (200...999).contains(code) else {
        throw Refusal.badRequest("“\(choice)” is not a status from 200 to 999.")
      }
      guard parts.count == 2 else { return (code, 1) }
      guard let weight = Double(parts[1]), weight >= 0, weight.isFinite else {
        throw Refusal.badRequest("“\(parts[1])” is not a weight.")
      }
      return (code, weight)
    }
    guard !choices.isEmpty else { throw Refusal.badRequest("There is no status.") }
  }

  func pick() -> Int {
    let total = choices.reduce(0) { $0 + $1.weight }
    guard total > 0, total.isFinite else { return choices[0].code }
    var left = Double.random(in: 0..<total)
    for choice in choices {
      left -= choice.weight
      if left < 0 { return choice.code }
    }
    return choices[choices.count - 1].code
  }
}
