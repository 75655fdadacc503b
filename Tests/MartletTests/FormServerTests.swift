import Foundation
import Martlet
import Testing

private let formServer = ProcessInfo.processInfo.environment["FORM_SERVER"].flatMap(URL.init)

/// What other people's software understands of queries and forms; `scripts/interop-forms` starts it.
@Suite(.enabled(if: formServer != nil, "FORM_SERVER names no server"), .timeLimit(.minutes(5)))
struct FormServerTests {
  private struct Understood: Decodable, Sendable {
    var query: [Field]
    var fields: [Field]
    var files: [File]
  }

  fileprivate struct Field: Decodable, Sendable, Hashable, CustomStringConvertible {
    var name: String
    var value: Data
    var description: String { "\(name)=\(String(decoding: value, as: UTF8.self))" }

    /// Whether a server undoes the escapes in names is its own affair: some do, for some of them.
    func normalized() -> Field { Field(name: name.escapedLikeNames, value: value) }
  }

  private struct File: Decodable, Sendable, Equatable {
    var name: String
    var filename: String
    var type: String
    var content: Data

    func normalized() -> File {
      File(
        name: name.escapedLikeNames, filename: filename.escapedLikeNames, type: type,
        content: content)
    }
  }

  private let api = HTTPSessionManager(baseURL: formServer) {
    $0.timeouts.idle = .seconds(20)
  }

  private let nested: Parameters = [
    "bird": [
      "name": "Küsten-\"Seeschwalbe\" & Söhne + 🐦‍⬛ = 100%", "sizes": [33, 39.5],
      "seen": [
        ["where": "a b", "alive": true] as Parameters,
        ["where": "\r\n\t;,/?:@#", "alive": false] as Parameters,
      ],
      "depth": [[[1]], [[2], [3]]],
    ] as Parameters,
    "empty": "", "nothing": nil, "ümlaut[]": "x", "emoji🐦": "🏳️‍🌈", "zero": "a\0b",
    "left out": [] as Parameters,
  ]

  private func expected(_ parameters: Parameters) throws -> [Field] {
    try queryStringPairs(from: parameters)
      .map { Field(name: $0.field, value: Data(($0.value ?? "").utf8)) }.grouped
  }

  /// Fields are texts, to some.
  private func isText(_ data: Data) -> Bool { String(validating: data, as: UTF8.self) != nil }

  private func use(_ change: (inout ParameterEncoding) -> Void) {
    api.updateRequestSerializer { change(&$0.http.parameterEncoding) }
  }

  @Test func `queries arrive`() async throws {
    let answer: Understood = try await api.get("", parameters: nested)
    #expect(try answer.query.grouped == expected(nested))
    use { $0.spaces = .plus }
    let plus: Understood = try await api.get("", parameters: nested)
    #expect(try plus.query.grouped == expected(nested))
  }

  @Test func `form bodies arrive`() async throws {
    let answer: Understood = try await api.post("", parameters: nested)
    #expect(try answer.fields.grouped == expected(nested))
    use {
      $0.spaces = .plus
      $0.nulls = .emptyValue
    }
    let plus: Understood = try await api.post("", parameters: nested)
    #expect(try plus.fields.grouped == expected(nested))
  }

  @Test func `the parameters of a form of several parts arrive`() async throws {
    let answer: Understood = try await api.post("", parameters: nested, constructingBody: { _ in })
    #expect(try answer.fields.grouped == expected(nested))
    #expect(answer.files.isEmpty)
  }

  @Test func `contents of every kind arrive`() async throws {
    let folder = try TemporaryFolder()
    let large = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
    let contents: [(String, Data)] = [
      ("bytes", Data(0...255)), ("zeros", Data(count: 1000)), ("empty", Data()),
      ("breaks", Data("\r\n\r\n--\r\n--Boundary+0123456789ABCDEF--\r\n".utf8)),
      ("emoji", Data("🐦‍⬛🏳️‍🌈".utf8)), ("large", large),
    ]
    let answer: Understood = try await api.post("", parameters: ["first": "1"]) { form in
      for (name, data) in contents {
        if isText(data) { form.append(formData: data, name: "field_\(name)") }
        try form.append(
          fileData: data, name: "data_\(name)", fileName: "\(name).bin", mimeType: "a/\(name)")
        let file = folder.url.appendingPathComponent("\(name).txt")
        try data.write(to: file)
        try form.append(fileAt: file, name: "file_\(name)")
        try form.append(
          { InputStream(data: data) }, name: "stream_\(name)", fileName: name,
          length: Int64(data.count), mimeType: "a/b")
      }
    }
    #expect(
      answer.fields == [Field(name: "first", value: Data("1".utf8))]
        + contents.filter { isText($0.1) }.map { Field(name: "field_\($0)", value: $1) })
    #expect(
      answer.files
        == contents.flatMap { name, data in
          [
            File(name: "data_\(name)", filename: "\(name).bin", type: "a/\(name)", content: data),
            File(name: "file_\(name)", filename: "\(name).txt", type: "text/plain", content: data),
            File(name: "stream_\(name)", filename: name, type: "a/b", content: data),
          ]
        })
  }

  @Test func `names of every kind arrive`() async throws {
    let names = [
      "plain", "with\"quotes\"", "line\r\nbreak", "über", "🐦‍⬛", "semi;colon", "equals=sign", "a&b",
      "100%", "it's", "new\nline", "comma,s",
    ]
    let answer: Understood = try await api.post("") { form in
      for (number, name) in names.enumerated() {
        form.append(text: name, name: name)
        try form.append(
          fileData: Data(name.utf8), name: "file\(number)", fileName: "my \(name).txt",
          mimeType: "text/plain")
      }
    }
    #expect(
      answer.fields.map { $0.normalized() }
        == names.map { Field(name: $0, value: Data($0.utf8)).normalized() })
    #expect(
      answer.files.map { $0.normalized() }
        == names.enumerated().map { number, name in
          File(
            name: "file\(number)", filename: "my \(name).txt", type: "text/plain",
            content: Data(name.utf8)
          ).normalized()
        })
  }

  @Test func `two thousand parts arrive`() async throws {
    let answer: Understood = try await api.post("") { form in
      for number in 0..<2000 { form.append(text: "value \(number)", name: "n\(number)") }
    }
    #expect(
      answer.fields
        == (0..<2000).map { Field(name: "n\($0)", value: Data("value \($0)".utf8)) })
  }
}

extension [FormServerTests.Field] {
  /// With the values of one name side by side, as some put them.
  fileprivate var grouped: [FormServerTests.Field] {
    enumerated().sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }
      .map(\.element)
  }
}

extension String {
  fileprivate var escapedLikeNames: String {
    replacing("\"", with: "%22").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
      .replacing("\r\n", with: "%0D%0A")
  }
}
