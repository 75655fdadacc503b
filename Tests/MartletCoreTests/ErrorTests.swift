import Foundation
import HTTPTypes
import MartletCore
import NIOCore
import Testing

/// The one error, and what it carries.
struct ErrorTests {
  @Test func `an error carries what it was given, and no more than 64 KiB of a body`() throws {
    var error = MartletError(.decodingFailed, "It cannot be read.", phase: .decode)
    #expect(error.underlying == nil)
    error.response = ResponseHead(status: .ok)
    error.body = ByteBuffer(repeating: 1, count: 100_000)
    error.addresses = ["127.0.0.1:80"]
    error.object = 7
    error.request = try Request(.get, "http://h/")
    #expect(error.response?.status == .ok)
    #expect(error.body?.readableBytes == 65_536)
    #expect(error.addresses == ["127.0.0.1:80"])
    #expect(error.object as? Int == 7)
    #expect(error.request?.target == "/")
    #expect("\(error)" == "It cannot be read.")
    #expect(error.localizedDescription == "It cannot be read.")
    error.object = nil
    #expect(error.object == nil)
    #expect(error.response?.status == .ok)
  }

  @Test func `text from elsewhere cannot play tricks in a message`() {
    #expect(
      MartletError.invalidURL("http://h/\r\n\u{1B}[31m", "it cannot be parsed").message
        == "The URL “http://h/\\u{d}\\u{a}\\u{1b}[31m” is not usable: it cannot be parsed.")
    #expect(
      MartletError.invalidURL("http://ada:secret@h:0/", "it is odd").message
        == "The URL “http://***@h:0/” is not usable: it is odd.")
    let long = String(repeating: "x", count: 300)
    #expect(long.masked == String(repeating: "x", count: 200) + "…")
  }

  @Test func `a certificate's error names the host as it is, whatever stands in its name`() {
    let host = "a”b“c"
    func message(_ kind: TrustProblem.Kind) -> String {
      TrustProblem(kind).error(host: host).message
    }
    let pretence = "you might be connecting to a server that is pretending to be “a”b“c”."
    #expect(
      message(.expired(on: "2026-01-31"))
        == "The certificate of “a”b“c” expired on 2026-01-31: \(pretence)")
    #expect(
      message(.notYetValid(until: "2036-01-31"))
        == "The certificate of “a”b“c” is not valid before 2036-01-31: \(pretence)")
    #expect(
      message(.selfSigned)
        == "The certificate of “a”b“c” is self-signed and not trusted: \(pretence)")
    #expect(
      message(.unknownAuthority)
        == "The certificate of “a”b“c” was not issued by a trusted authority: \(pretence)")
    #expect(
      message(.wrongHost(names: []))
        == "The certificate of “a”b“c” is for no host at all: \(pretence)")
  }

  @Test(arguments: [
    (Duration.milliseconds(250), "250 ms"), (.seconds(2), "2 s"), (.milliseconds(1500), "1.5 s"),
    (.microseconds(400), "0 ms"), (.seconds(-2), "-2000 ms"),
    (.seconds(Int64.max), "1000000000000 s"), (.seconds(Int64.min), "-1000000000000000 ms"),
  ])
  func `a duration reads as people say it`(duration: Duration, text: String) {
    #expect(duration.text == text)
  }

  @Test func `a file that is none, is missing or is too short is refused in words`() throws {
    let web = try #require(URL(string: "http://h/x"))
    let missing = URL(fileURLWithPath: "/nowhere/file")
    let device = URL(fileURLWithPath: "/dev/null")
    let short = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    let link = short.appendingPathExtension("link")
    try Data("abc".utf8).write(to: short)
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: short)
    defer {
      try? FileManager.default.removeItem(at: link)
      try? FileManager.default.removeItem(at: short)
    }
    #expect(try RequestBody.file(at: link).length == 3)
    for (url, length, message) in [
      (web, nil, "Expected URL to be a file URL, not “http://h/x”."),
      (
        missing, nil,
        "File URL not reachable: “/nowhere/file” does not exist or cannot be read."
      ),
      (
        short, 5,
        "The part of “\(short.path)” to send lies outside the file, which has 3 bytes."
      ),
      (
        device, nil,
        "“/dev/null” is not a regular file: read it yourself, and send it as a sequence."
      ),
    ] as [(URL, Int64?, String)] {
      #expect {
        try RequestBody.file(at: url, length: length)
      } throws: { ($0 as? MartletError)?.message == message }
    }
  }
}
